package junit

import (
	"encoding/xml"
	"time"
)

// The elements of JUnit XML, in the order and with the attributes that Jenkins and GitLab read.
type (
	testsuites struct {
		XMLName  xml.Name    `xml:"testsuites"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"time,attr"`
		Suites   []testsuite `xml:"testsuite"`
	}
	testsuite struct {
		Name       string     `xml:"name,attr"`
		Tests      int        `xml:"tests,attr"`
		Failures   int        `xml:"failures,attr"`
		Errors     int        `xml:"errors,attr"`
		Skipped    int        `xml:"skipped,attr"`
		Time       string     `xml:"time,attr"`
		Timestamp  string     `xml:"timestamp,attr,omitempty"`
		Properties []property `xml:"properties>property"`
		Cases      []testcase `xml:"testcase"`
		elapsed    time.Duration
	}
	property struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	testcase struct {
		Name      string   `xml:"name,attr"`
		ClassName string   `xml:"classname,attr"`
		File      string   `xml:"file,attr,omitempty"`
		Time      string   `xml:"time,attr"`
		Skipped   *skipped `xml:"skipped"`
		Error     *problem `xml:"error"`
		Failure   *problem `xml:"failure"`
		Out       *cdata   `xml:"system-out"`
		id        string
	}
	skipped struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",cdata"`
	}
	problem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",cdata"`
	}
	cdata struct {
		Text string `xml:",cdata"`
	}
)

package sarif

import "time"

// The objects of SARIF, with the members that are used. A run is written piece by piece; see Write.
type (
	message struct {
		Text string `json:"text"`
	}
	descriptor struct {
		ID         string         `json:"id"`
		Short      message        `json:"shortDescription"`
		Full       message        `json:"fullDescription"`
		Help       message        `json:"help"`
		Default    configuration  `json:"defaultConfiguration"`
		Properties map[string]any `json:"properties"`
	}
	configuration struct {
		Level string `json:"level"`
	}
	artifactLocation struct {
		URI    string `json:"uri"`
		BaseID string `json:"uriBaseId,omitempty"`
	}
	region struct {
		StartLine int `json:"startLine"`
	}
	physicalLocation struct {
		Artifact artifactLocation `json:"artifactLocation"`
		Region   *region          `json:"region,omitempty"`
	}
	location struct {
		ID       int              `json:"id,omitempty"`
		Physical physicalLocation `json:"physicalLocation"`
		Message  *message         `json:"message,omitempty"`
	}
	content struct {
		Text   string `json:"text,omitempty"`
		Binary string `json:"binary,omitempty"` // in base64
	}
	webRequest struct {
		Protocol string            `json:"protocol"`
		Version  string            `json:"version,omitempty"`
		Method   string            `json:"method"`
		Target   string            `json:"target"`
		Headers  map[string]string `json:"headers,omitempty"`
		Body     *content          `json:"body,omitempty"`
	}
	webResponse struct {
		Protocol   string            `json:"protocol,omitempty"`
		Version    string            `json:"version,omitempty"`
		StatusCode int               `json:"statusCode,omitempty"`
		Reason     string            `json:"reasonPhrase,omitempty"`
		Headers    map[string]string `json:"headers,omitempty"`
		Body       *content          `json:"body,omitempty"`
		None       bool              `json:"noResponseReceived,omitempty"`
		Properties map[string]any    `json:"properties,omitempty"`
	}
	suppression struct {
		Kind          string `json:"kind"`
		Status        string `json:"status"`
		Justification string `json:"justification"`
	}
	result struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Kind         string            `json:"kind"`
		Level        string            `json:"level"`
		Message      message           `json:"message"`
		Locations    []location        `json:"locations"`
		Related      []location        `json:"relatedLocations,omitempty"`
		Occurrences  int               `json:"occurrenceCount,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Suppressions []suppression     `json:"suppressions"` // an empty list means that nothing is suppressed
		Request      *webRequest       `json:"webRequest,omitempty"`
		Response     *webResponse      `json:"webResponse,omitempty"`
		Properties   map[string]any    `json:"properties,omitempty"`
	}
	notification struct {
		Level   string  `json:"level"`
		Message message `json:"message"`
	}
	invocation struct {
		Started       *time.Time     `json:"startTimeUtc,omitempty"`
		Ended         *time.Time     `json:"endTimeUtc,omitempty"`
		ExitCode      int            `json:"exitCode"`
		ExitBecause   string         `json:"exitCodeDescription,omitempty"`
		Successful    bool           `json:"executionSuccessful"`
		Execution     []notification `json:"toolExecutionNotifications,omitempty"`
		Configuration []notification `json:"toolConfigurationNotifications,omitempty"`
	}
	artifact struct {
		Location artifactLocation  `json:"location"`
		Hashes   map[string]string `json:"hashes,omitempty"`
	}
)

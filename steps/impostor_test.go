package steps_test

import (
	"crypto/tls"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"hallmark/internal/impostor"
	"hallmark/reports"
	"hallmark/spec"
	"hallmark/steps"
)

const impostorKey = "Impostor-Key-4711-abcXYZ"

func TestScratchImpostors(t *testing.T) {
	if os.Getenv("HALLMARK_ALL_VARIANTS") == "" {
		t.Skip("HALLMARK_ALL_VARIANTS is not set")
	}
	k := newKit(t)
	only := os.Getenv("ONLY")
	run := func(v impostor.Variant) (reports.Record, reports.Result) {
		r := v.Launch(impostorKey)
		defer r.Stop()
		return k.judge(t, r.BaseURL, impostorKey, func(c *steps.Config) {
			if v.Now != "" {
				c.Now, _ = time.Parse(time.DateOnly, v.Now)
			}
			if v.TLS {
				tr := steps.NewTransport(8)
				tr.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
				c.Transport = tr
			}
		})
	}
	show := func(v impostor.Variant, rec reports.Record, res reports.Result) {
		if os.Getenv("SHOW") != "" {
			_ = reports.Terminal(os.Stdout, &rec, res, k.catalogue.Rules, reports.Look{Width: 140})
		}
		var causes []string
		for _, c := range res.Causes {
			if c.Level == spec.Must {
				causes = append(causes, fmt.Sprintf("%s(%s)", c.Rule, c.Lead.Actual))
			}
		}
		fmt.Printf("%-44s %-12s exit %d  %s\n    %s | %s\n", v.Name, res.Verdict, res.ExitCode, strings.Join(causes, " "), v.Rule, v.Says)
	}
	bad := 0
	for _, v := range impostor.Legal() {
		if os.Getenv("FROM") != "" {
			continue
		}
		if only != "" && !strings.Contains(","+only+",", ","+v.Name+",") {
			continue
		}
		rec, res := run(v)
		if res.ExitCode != 0 {
			bad++
			fmt.Print("ACCUSED ")
			show(v, rec, res)
		}
	}
	fmt.Println("legal", len(impostor.Legal()), "accused", bad)
	survived := 0
	from := os.Getenv("FROM")
	for _, v := range impostor.Broken() {
		if from != "" && v.Name != from {
			continue
		}
		from = ""
		if only != "" && !strings.Contains(","+only+",", ","+v.Name+",") {
			continue
		}
		rec, res := run(v)
		if res.ExitCode != 1 {
			survived++
			fmt.Print("SURVIVED ")
		}
		show(v, rec, res)
	}
	fmt.Println("broken", len(impostor.Broken()), "survived", survived)
}

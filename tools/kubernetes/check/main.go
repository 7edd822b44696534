// Command check reads Kubernetes manifests by the types of Kubernetes itself, strictly: a field that there is not, a text
// for a number, a key twice are errors.
//
//	kubernetes docs/examples/kubernetes.yaml
package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: kubernetes FILE...")
		os.Exit(2)
	}
	wrong := 0
	for _, name := range os.Args[1:] {
		for _, err := range check(name) {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			wrong++
		}
	}
	if wrong > 0 {
		os.Exit(1)
	}
}

// check reads all documents of a file.
func check(name string) []error {
	text, err := os.ReadFile(name)
	if err != nil {
		return []error{err}
	}
	var wrong []error
	for i, doc := range bytes.Split(text, []byte("\n---\n")) {
		if err := checkDocument(doc); err != nil {
			wrong = append(wrong, fmt.Errorf("document %d: %w", i+1, err))
		}
	}
	return wrong
}

func checkDocument(doc []byte) error {
	var kind struct{ APIVersion, Kind string }
	if err := yaml.Unmarshal(doc, &kind); err != nil {
		return err
	}
	switch kind.APIVersion + " " + kind.Kind {
	case "batch/v1 Job":
		var job batch.Job
		if err := yaml.UnmarshalStrict(doc, &job); err != nil {
			return err
		}
		return checkJob(&job)
	case "v1 PersistentVolumeClaim":
		return yaml.UnmarshalStrict(doc, &core.PersistentVolumeClaim{})
	}
	return fmt.Errorf("manifests of %s %s are not known here", kind.APIVersion, kind.Kind)
}

// checkJob holds what a server would refuse, as far as these Jobs use it.
func checkJob(job *batch.Job) error {
	var wrong []string
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	s := job.Spec
	pod := s.Template.Spec
	if pod.RestartPolicy != core.RestartPolicyNever && pod.RestartPolicy != core.RestartPolicyOnFailure {
		say("restartPolicy is %q", pod.RestartPolicy)
	}
	indexed := s.CompletionMode != nil && *s.CompletionMode == batch.IndexedCompletion
	if indexed && s.Completions == nil {
		say("an Indexed Job needs completions")
	}
	if (s.BackoffLimitPerIndex != nil || s.MaxFailedIndexes != nil) && !indexed {
		say("backoffLimitPerIndex and maxFailedIndexes are for Indexed Jobs")
	}
	if s.MaxFailedIndexes != nil && (s.BackoffLimitPerIndex == nil || s.Completions == nil || *s.MaxFailedIndexes > *s.Completions) {
		say("maxFailedIndexes needs backoffLimitPerIndex, and is completions at most")
	}
	if s.PodFailurePolicy != nil {
		if pod.RestartPolicy != core.RestartPolicyNever {
			say("podFailurePolicy needs restartPolicy Never")
		}
		for _, r := range s.PodFailurePolicy.Rules {
			if r.Action == batch.PodFailurePolicyActionFailIndex && s.BackoffLimitPerIndex == nil {
				say("FailIndex needs backoffLimitPerIndex")
			}
		}
	}
	volumes := map[string]bool{}
	for _, v := range pod.Volumes {
		volumes[v.Name] = true
	}
	if len(pod.Containers) == 0 {
		say("there is no container")
	}
	for _, c := range pod.Containers {
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] {
				say("the container %s mounts the volume %s, which is not there", c.Name, m.Name)
			}
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%s", strings.Join(wrong, "; "))
	}
	return nil
}

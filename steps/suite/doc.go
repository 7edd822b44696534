// Package suite reads features, and selects from them: scenarios with their ids, rules, tags and phases, tag expressions,
// selections and shards. It knows no step, and nothing of how a scenario is played.
package suite

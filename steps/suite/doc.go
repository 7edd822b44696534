// Package suite parses features and selects from them: scenarios with their ids, rules, tags and phases, tag expressions, selections and
// shards. It does not know steps or how scenarios are played.
package suite

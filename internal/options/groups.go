package options

import "github.com/hallmark-kit/hallmark/internal/cli"

// FlagGroups returns the flags of run by topic, as help lists them. Other commands have some of these flags.
func FlagGroups() []cli.FlagGroup {
	return []cli.FlagGroup{
		{Title: "Target", Flags: []cli.GroupedFlag{
			{Name: "base-url", Brief: "the address of the service"},
			{Name: "target", Brief: "a target of hallmark.yaml instead, with all its settings"},
			{Name: "config"},
			{Name: "wait"},
			{Name: "now"},
		}},
		{Title: "Contract", Flags: []cli.GroupedFlag{
			{Name: "contract", Brief: "an OpenAPI document, or its address"},
			{Name: "rules-file", Brief: "changes to the rules (default rules.yaml beside the contract)"},
			{Name: "values-file", Brief: "values for requests (default values.yaml beside the contract)"},
			{Name: "features"}, {Name: "allow-remote"}, {Name: "per-operation"},
		}},
		{Title: "Credentials", Flags: []cli.GroupedFlag{
			{Name: "api-key-file", Brief: "read the API key from this file instead of HALLMARK_API_KEY"},
			{Name: roleFlag, Brief: "send the credentials of this role of hallmark.yaml"},
			{Name: authFileFlag}, {Name: "header"}, {Name: "secret-header"}, {Name: "secret-query"},
		}},
		{Title: "What is judged", Flags: []cli.GroupedFlag{
			{Name: "rule", Brief: "only this rule, or the rules with this prefix; repeatable"},
			{Name: "operation", Brief: "only this operation; repeatable"},
			{Name: "tags"},
			{Name: quickFlag, Brief: "only the few scenarios that find most"},
			{Name: "rerun", Brief: "only what failed in this record or journal"},
			{Name: "shard"}, {Name: "seed"}, {Name: "confirm"},
			{Name: "plan", Brief: "show what the run would do, and send nothing"},
		}},
		{Title: "What is allowed", Flags: []cli.GroupedFlag{
			{Name: "read-only", Brief: "create nothing"},
			{Name: "allow", Brief: "call this operation, although it may do harm; repeatable"},
			{Name: "allow-writes"},
			{Name: "max-created", Brief: "create at most this many resources"},
			{Name: "max-sensitive"},
			{Name: "rate"},
			{Name: "max-requests"}, {Name: "max-time"}, {Name: "concurrency"},
		}},
		{Title: "Preparing data", Flags: []cli.GroupedFlag{
			{Name: BeforeFlag}, {Name: AfterFlag}, {Name: BeforeEachFlag}, {Name: BetweenPhasesFlag}, {Name: hookTimeoutFlag},
		}},
		{Title: "What fails the run", Flags: []cli.GroupedFlag{
			{Name: "strict", Brief: "violated should rules, too"},
			{Name: "require-complete", Brief: "must rules that were not exercised"},
			{Name: "require-prose"},
			{Name: requireCoverageFlag},
			{Name: "accept-partial"},
			{Name: "deviations", Brief: "all but the known violations of this file"},
			{Name: "intermittent"}, {Name: "fail-fast"},
		}},
		{Title: "Output", Flags: []cli.GroupedFlag{
			{Name: "report", Brief: "write a report, such as junit:hallmark.xml; repeatable"},
			{Name: "quiet", Brief: "only the verdict, and one line for each failure"},
			{Name: "verbose", Brief: "every scenario and observation, too"},
			{Name: "sign"}, {Name: "valid-days"}, {Name: "journal"}, {Name: "journal-space"}, {Name: GitHubFlag},
		}},
		{Title: "Network", Flags: []cli.GroupedFlag{
			{Name: "timeout"}, {Name: "patience"}, {Name: "settle"},
			{Name: "ca-file"}, {Name: "client-cert"}, {Name: "client-key"}, {Name: "insecure"}, {Name: "proxy"},
			{Name: "unix-socket"}, {Name: "h2c"}, {Name: "correlation-header"},
		}},
	}
}

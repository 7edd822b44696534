package scaffold

import (
	"fmt"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// mostNamed is the maximum number of operations named in a line.
const mostNamed = 3

// valuesFile returns the text of the values file, with commented-out entries for the values that the contract does not provide.
func valuesFile(s *Suite) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Values that requests need and that %s does not provide: each line names a place and its value.
#
#   tenant: acme                         each parameter of that name
#   listReports.year: 2024               the parameter of one operation
#   createOrder./order/shop: 7           a member of one operation's body (a JSON pointer)
#   createZone./name: "{new}.example."   {new} is another name in each request
#   uploadPhoto.body: {file: photo.jpg}  a whole body, from a file beside this one
#
# Credentials do not belong here: they come from the environment.
`, s.where.contract)
	gaps := s.basis.Unlocking()
	if len(gaps) == 0 {
		b.WriteString("\n# By the contract alone hallmark knows what each request needs. \"hallmark doctor\" says when that changes.\n")
		return b.String()
	}
	b.WriteString("\n# The gaps that \"hallmark doctor\" lists. Remove the # from a line and replace … with a value; it unlocks the operations after it.\n")
	for _, g := range gaps {
		named := g.Operations
		more := ""
		if len(named) > mostNamed {
			more = fmt.Sprintf(" and %s", text.Count(len(named)-mostNamed, "more operation"))
			named = named[:mostNamed]
		}
		fmt.Fprintf(&b, "# %s  # %s%s\n", oneLine(g.Says), oneLine(strings.Join(named, ", ")), more)
	}
	return b.String()
}

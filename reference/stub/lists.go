package stub

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// paging is how a list is cut into pages.
type paging struct {
	sizes                []*param
	offset, page, cursor *param
	// usual is the size of a page if the request does not say, most the largest; 0 for any.
	usual, most int
}

var (
	sizeNames   = []string{"limit", "perpage", "pagesize", "size", "first", "count", "maxresults", "maxitems", "maxperpage", "top", "take", "resultsperpage", "pagelimit", "itemsperpage", "rows"}
	offsetNames = []string{"offset", "skip", "startindex", "from", "start"}
	pageNames   = []string{"page", "pagenumber", "pageno", "pageindex", "currentpage", "pagenum"}
	cursorNames = []string{"cursor", "after", "pagetoken", "nexttoken", "startingafter", "nextcursor", "continue", "continuationtoken", "marker", "pageafter", "startafter", "nextpagetoken", "pagecursor", "nextmarker", "pagemarker", "startcursor", "skiptoken"}
	listNames   = []string{"data", "items", "results", "content", "values", "entries", "list", "records", "elements", "objects", "rows", "embedded", "resources", "collection", "value", "hits"}
)

// listIn returns where the list of a collection is in the answer of an operation; nil if it shows none.
func listIn(a *api, op *operation, own *kind) *view {
	if op.success == nil || op.success.JSON() == nil || op.success.JSON().Schema == nil {
		return nil
	}
	whole := op.success.JSON().Edge
	noun := ""
	if n := len(op.segments); n > 0 {
		noun = plainName(op.segments[n-1].texts[0])
	}
	place, item := arrayIn(a, whole.Schema, noun, own, 0)
	if item == nil || len(place) > 0 && own == nil && !slices.Contains(listNames, plainName(place[len(place)-1])) && plainName(place[len(place)-1]) != noun && !paged(op) {
		return nil
	}
	v := &view{edge: whole, place: place, item: *item}
	v.scalars = a.shapes.isScalar(item.Schema)
	if !a.shapes.isObject(item.Schema) && !v.scalars && len(applicableSchemas(item.Schema)) == 1 && len(a.shapes.membersOf(item.Schema)) == 0 && own == nil {
		return nil // nothing is known about what is listed
	}
	return v
}

// paged reports whether an operation has a parameter that limits its list.
func paged(op *operation) bool {
	return slices.ContainsFunc(op.Parameters, func(p spec.Parameter) bool {
		return p.In == "query" && (slices.Contains(sizeNames, plainName(p.Name)) || slices.Contains(pageNames, plainName(p.Name)))
	})
}

// arrayIn returns the path to the array that is the list, and the edge to its items.
func arrayIn(a *api, s *spec.Schema, noun string, own *kind, depth int) ([]string, *spec.Edge) {
	if a.shapes.isArray(s) {
		return nil, itemOf(s)
	}
	members := a.shapes.membersOf(s)
	var found []string
	for name, m := range members {
		if e := itemOf(m); e != nil && a.shapes.isArray(m) {
			found = append(found, name)
		}
	}
	order := func(name string) int {
		plain := plainName(name)
		e := itemOf(members[name])
		switch i := slices.Index(listNames, plain); {
		case own != nil && own.record != nil && sameSchema(e.Schema, own.record):
			return 0
		case plain == noun:
			return 1
		case i >= 0:
			return 2 + i
		case a.shapes.isObject(e.Schema):
			return 50
		}
		return 100
	}
	slices.SortFunc(found, func(x, y string) int {
		if d := order(x) - order(y); d != 0 {
			return d
		}
		return strings.Compare(x, y)
	})
	if own != nil && len(found) > 0 && a.shapes.identifies(s, own.name(), own.noun) != nil && order(found[0]) > 30 {
		return nil, nil
	}
	if len(found) == 1 || len(found) > 1 && order(found[0]) < 50 {
		return []string{found[0]}, itemOf(members[found[0]])
	}
	if depth == 0 && len(found) == 0 {
		for _, name := range listNames {
			for member, m := range members {
				if plainName(member) == name && a.shapes.isObject(m) {
					if below, e := arrayIn(a, m, noun, own, 1); e != nil {
						return append([]string{member}, below...), e
					}
				}
			}
		}
	}
	return nil, nil
}

// readList reads the parameters of a list.
func readList(a *api, op *operation) {
	members := a.shapes.membersOf(op.view.item.Schema)
	if op.view.scalars && op.kind.record != nil {
		members = nil
	}
	for _, p := range op.params {
		if p.In != "query" {
			continue
		}
		plain := plainName(p.Name)
		types := a.shapes.typesOf(p.schema())
		number := slices.Contains(types, "integer") || slices.Contains(types, "number")
		switch {
		case members[p.Name] != nil && a.shapes.isScalar(members[p.Name]) && (a.shapes.isScalar(p.schema()) || a.shapes.isArray(p.schema())):
			op.filters = append(op.filters, filter{param: p, member: p.Name})
		case number && slices.Contains(sizeNames, plain):
			op.paging.sizes = append(op.paging.sizes, p)
		case op.paging.offset == nil && number && slices.Contains(offsetNames, plain):
			op.paging.offset = p
		case op.paging.page == nil && number && slices.Contains(pageNames, plain):
			op.paging.page = p
		case op.paging.cursor == nil && !number && slices.Contains(cursorNames, plain):
			op.paging.cursor = p
		default:
			op.filters = append(op.filters, furtherFilters(a, op, p, members)...)
		}
	}
	for _, p := range op.paging.sizes {
		if usual, ok := smallInt(p.schema().Default); ok && (op.paging.usual == 0 || usual < op.paging.usual) {
			op.paging.usual = usual
		}
		if most, ok := smallInt(p.schema().Maximum); ok && (op.paging.most == 0 || most < op.paging.most) {
			op.paging.most = most
		}
	}
}

package scenario

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/steps/budget"
	"github.com/hallmark-kit/hallmark/steps/credentials"
)

// creation is a request that may create a resource: what it took from the budget, and its number in the list of
// what the run leaves behind. The zero value is a request that creates nothing.
type creation struct {
	recorder *record.Recorder
	reserved budget.Reservation
	kind     budget.OfKind
	number   int
	// mayOnlyAct reports whether the request is not known to create anything, such as a search by POST.
	mayOnlyAct bool
}

// announce reserves what a request may create, and records that it is about to be sent, even if it must be
// refused: a faulty service may accept it. It takes nothing from the budget until the service accepts it.
func announce(r *Run, account *budget.Account, scenario string, asked *request.Request) (creation, error) {
	if r.Target.ReadOnly {
		return creation{}, Stopf("the run is read-only")
	}
	reserved, ok := account.Reserve(true)
	if !ok {
		return creation{}, Stopf("%s", r.noMore())
	}
	return creation{recorder: r.Recorder, reserved: reserved, number: r.Recorder.Asking(r.nameIn(asked), scenario)}, nil
}

// nameIn returns the first text in the body of a request that the run made up, or "": by it a person finds what was created.
func (r *Run) nameIn(asked *request.Request) string {
	if asked == nil {
		return ""
	}
	body, _, _ := asked.Body()
	return r.madeUp(body)
}

// madeUp returns the first text in a value that the run made up, or "".
func (r *Run) madeUp(v any) string {
	switch v := v.(type) {
	case string:
		if r.IsMine(v) {
			return v
		}
	case []any:
		for _, item := range v {
			if name := r.madeUp(item); name != "" {
				return name
			}
		}
	case map[string]any:
		for _, member := range slices.Sorted(maps.Keys(v)) {
			if name := r.madeUp(v[member]); name != "" {
				return name
			}
		}
	}
	return ""
}

// reservePut reserves what a PUT to a new identifier creates. It is not announced; the resource is recorded once
// it exists.
func reservePut(r *Run, account *budget.Account, with credentials.Credential) (creation, error) {
	reserved, ok := account.Reserve(!with.Right && !with.Open)
	if !ok {
		return creation{}, Stopf("%s", r.noMore())
	}
	return creation{reserved: reserved}, nil
}

// cancel returns the reservation of a request that is not sent.
func (c creation) cancel() {
	c.reserved.Cancel()
	c.kind.Settle(false)
	if c.number != 0 {
		c.recorder.Settle(c.number, record.Refused, "")
	}
}

// register records the outcome of the request.
func (c creation) register(a *Answer) {
	switch {
	case a.Succeeded() && a.made != nil && a.made.number != 0 && a.made.number != c.number: // created by an earlier request
		c.recorder.Settle(c.number, record.Refused, "")
	case a.Succeeded():
		fields, _ := a.Value.Tree.(map[string]any)
		id := ""
		if c.mayOnlyAct && a.made == nil && a.Status() != http.StatusCreated { // it may have been a search
			c.recorder.Settle(c.number, record.Unknown, "")
			return
		}
		if a.made != nil {
			id = fmt.Sprint(a.made.Identifier())
		} else if n, ok := fields["id"].(json.Number); ok && exactjson.IsInt64(n) {
			id, _ = exactjson.CanonicalInt(n)
		}
		c.recorder.Settle(c.number, record.Created, id)
	case a.Status()/100 == 5: // it failed before or after storing anything
		c.recorder.Settle(c.number, record.Unknown, "")
	default:
		c.recorder.Settle(c.number, record.Refused, "")
	}
}

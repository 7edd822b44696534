package scenario

import (
	"encoding/json"
	"fmt"
	"net/http"

	"hallmark/reports/record"
	"hallmark/spec/exactjson"
	"hallmark/steps/budget"
	"hallmark/steps/credentials"
	"hallmark/steps/generate"
)

// creation is a request that may create a resource: what it took of the budget, and where it stands in the list of what the run
// leaves behind; its zero value is a request that creates none.
type creation struct {
	recorder *record.Recorder
	reserved budget.Reservation
	kind     budget.OfKind
	number   int
	// acts reports whether it is not known to create anything, as a search by POST.
	acts bool
}

// announce reserves what a request may create, and notes that it is asked for: also where it has to be refused, for the service
// may see it otherwise. Bodies that are no object, and bad credentials, take nothing from the budget before a faulty service
// lets them in.
func announce(r *Run, account *budget.Account, scenario string, with credentials.Credential, sent *generate.SentBody) (creation, error) {
	if r.Target.ReadOnly {
		return creation{}, Stopf("the run is read-only")
	}
	refused := !with.Right && !with.Open || sent == nil || sent.Values == nil
	reserved, ok := account.Reserve(refused)
	if !ok {
		return creation{}, Stopf("%s", r.noMore())
	}
	r.Extension.Sending(sent)
	made := creation{recorder: r.Recorder, reserved: reserved}
	if sent == nil {
		made.number = r.Recorder.Asking("", scenario)
		return made, nil
	}
	name := sent.Name()
	if name == "" && len(sent.Names) > 0 {
		name = sent.Names[0]
	}
	made.number = r.Recorder.Asking(name, scenario, sent.Names...)
	return made, nil
}

// reservePut reserves what a PUT creates that names something new. It is announced by nothing: what it created is noted when that is known.
func reservePut(r *Run, account *budget.Account, with credentials.Credential) (creation, error) {
	reserved, ok := account.Reserve(!with.Right && !with.Open)
	if !ok {
		return creation{}, Stopf("%s", r.noMore())
	}
	return creation{reserved: reserved}, nil
}

// cancel gives back what was reserved for a request that is not sent.
func (c creation) cancel() {
	c.reserved.Cancel()
	c.kind.Settle(false)
	if c.number != 0 {
		c.recorder.Settle(c.number, record.Refused, "")
	}
}

// register notes what became of the request.
func (c creation) register(a *Answer) {
	switch {
	case a.Succeeded() && a.made != nil && a.made.number != 0 && a.made.number != c.number: // what an earlier request created
		c.recorder.Settle(c.number, record.Refused, "")
	case a.Succeeded():
		fields, _ := a.Value.Tree.(map[string]any)
		id := ""
		if c.acts && a.made == nil && a.Status() != http.StatusCreated { // it may as well have looked for something
			c.recorder.Settle(c.number, record.Unknown, "")
			return
		}
		if a.made != nil {
			id = fmt.Sprint(a.made.Identifier())
		} else if n, ok := fields["id"].(json.Number); ok && exactjson.IsInt64(n) {
			id, _ = exactjson.CanonicalInt(n)
		}
		c.recorder.Settle(c.number, record.Created, id)
	case a.Status()/100 == 5: // it failed, before it stored anything or after
		c.recorder.Settle(c.number, record.Unknown, "")
	default:
		c.recorder.Settle(c.number, record.Refused, "")
	}
}

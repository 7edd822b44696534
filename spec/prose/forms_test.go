package prose_test

import (
	"fmt"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/prose"
)

// TestRead has sentences in known forms, and next to them some that differ in what makes them say something else: a negation, a condition, an
// exception, a weakening word, another subject. Those stay open.
func TestRead(t *testing.T) {
	reader := prose.NewReader()
	for _, row := range []struct {
		place prose.Place
		text  string
		// want is the form and what else the sentence says; empty if the sentence stays open.
		want string
	}{
		{prose.Schema, "Must be between 1 and 100.", "range 1 100"},
		{prose.Parameter, "A whole number from 1 to 100, both included.", "range 1 100"},
		{prose.Parameter, "Maximum: 100.", "range  100"},
		{prose.Schema, "At least 0", "range 0 "},
		{prose.Schema, "It must be 1 or more.", "range 1 "},
		{prose.Schema, "Should be between 1 and 100.", ""},
		{prose.Schema, "Must not be between 1 and 100.", ""},
		{prose.Schema, "Must be between 1 and 100 for guests.", ""},
		{prose.Schema, "The default is between 1 and 100.", ""},
		{prose.Schema, "Usually between 1 and 100.", ""},
		{prose.Schema, "Values above 100 are cut to 100.", ""},
		{prose.Operation, "Must be between 1 and 100.", ""},
		{prose.Schema, "At most 80 characters.", "length  80"},
		{prose.Schema, "3 to 80 characters long", "length 3 80"},
		{prose.Schema, "Maximum length: 1,000 characters", "length  1000"},
		{prose.Schema, "Must be exactly 3 characters long.", "length 3 3"},
		{prose.Schema, "At most 80 characters are shown.", ""},
		{prose.Schema, "Longer names are cut to 80 characters.", ""},
		{prose.Schema, "At most 80 bytes.", ""},
		{prose.Schema, "At most 80 characters, unless it is a link.", ""},
		{prose.Schema, "At most 10 items.", "count  10"},
		{prose.Schema, "At most 10 items are shown.", ""},
		{prose.Schema, "One of `open`, `closed`, or `held`.", "values open closed held"},
		{prose.Schema, "The state, one of \"open\" or \"closed\".", "values open closed"},
		{prose.Schema, "Must be one of: `open`, `closed`.", "values open closed"},
		{prose.Schema, "Always has the value `list`.", "constant value list"},
		{prose.Schema, "The value will always be `folder`.", "constant value folder"},
		{prose.Schema, "The value is always \"folder\"", "constant value folder"},
		{prose.Schema, "Is always `true`.", "constant value true"},
		{prose.Schema, "Always has the value `list` for collections.", ""},
		{prose.Schema, "For successful requests, this value is always `success`.", ""},
		{prose.Schema, "The value is not always `folder`.", ""},
		{prose.Schema, "The value will always be `file` or `folder`.", ""},
		{prose.Schema, "The value should always be `folder`.", ""},
		{prose.Schema, "The value is always above `low`.", ""},
		{prose.Schema, "The value is always `owner` and `repo` joined.", ""},
		{prose.Schema, "One of `title` and `text` must be given.", ""},
		{prose.Schema, "Can be one of `open`, `closed`, and others.", ""},
		{prose.Schema, "If it is open, one of `red` or `green`.", ""},
		{prose.Schema, "Not one of `open`, `closed`.", ""},
		{prose.Schema, "Required.", "required"},
		{prose.Parameter, "This parameter is required.", "required"},
		{prose.Parameter, "Not required.", ""},
		{prose.Parameter, "Required if the state is open.", ""},
		{prose.Parameter, "Required for guests.", ""},
		{prose.Schema, "Never null.", ""},
		{prose.Schema, "Must not be null.", "not null"},
		{prose.Schema, "May be null.", ""},
		{prose.Schema, "Must not be empty.", "not empty"},
		{prose.Schema, "May be empty.", ""},
		{prose.Schema, "Tags must be unique.", "distinct items"},
		{prose.Schema, "The tag must be unique.", ""},
		{prose.Schema, "Must be a valid UUID.", "format uuid"},
		{prose.Schema, "Must be a valid email address.", "format email"},
		{prose.Schema, "Must be a valid email address of the company.", ""},
		{prose.Parameter, "Defaults to 20.", "default 20"},
		{prose.Parameter, "The default is 20", "default 20"},
		{prose.Parameter, "Defaults to 20 for guests.", ""},
		{prose.Parameter, "Defaults to the number of tickets.", ""},
		{prose.Document, "Unknown members are rejected.", "no other members"},
		{prose.Document, "Unknown members are ignored.", ""},
		{prose.Document, "Unknown members are not rejected.", ""},

		{prose.Operation, "Returns 404 if there is no ticket with this number.", ""},
		{prose.Operation, "Returns a 404 if the ticket does not exist.", "refused where nothing is 404"},
		{prose.Operation, "An unknown ticket is answered with 404.", "refused where nothing is 404"},
		{prose.Operation, "Returns 404 if the ticket is closed.", ""},
		{prose.Operation, "Returns 404 if the ticket does not exist or is closed.", ""},
		{prose.Response, "Missing or invalid API key", "authentication"},
		{prose.Operation, "Requires authentication.", "authentication"},
		{prose.Operation, "Authentication is optional.", ""},
		{prose.Operation, "Requires authentication for private tickets.", ""},
		{prose.Document, "Every request must be authenticated.", "authentication"},
		{prose.Document, "Every request except health checks must be authenticated.", ""},
		{prose.Document, "Invalid requests are rejected with 422.", "refused if invalid 422"},
		{prose.Document, "Invalid requests may be rejected with 422.", ""},
		{prose.Document, "A refused request changes nothing.", "nothing changes if refused"},
		{prose.Document, "A refused request may have changed something.", ""},

		{prose.Parameter, "The maximum number of tickets to return.", "limit"},
		{prose.Parameter, "Maximum number of results per page", "limit"},
		{prose.Parameter, "The maximum number of items to return per page.", "limit"},
		{prose.Parameter, "The approximate number of tickets to return.", ""},
		{prose.Parameter, "The maximum number of tickets to scan.", ""},
		{prose.Parameter, "The maximum number of tickets to return is not guaranteed.", ""},
		{prose.Parameter, "Only tickets with this state.", "filter"},
		{prose.Parameter, "Only returns tickets of the given state.", "filter"},
		{prose.Parameter, "Only tickets without this state.", ""},
		{prose.Parameter, "Only tickets with at least this priority.", ""},
		{prose.Parameter, "The field to sort by", "sort"},
		{prose.Operation, "List tickets, the newest first.", "order descending"},
		{prose.Operation, "List tickets newest first", "order descending"},
		{prose.Operation, "Lists all events of a day, oldest first by default.", "order"},
		{prose.Operation, "The tickets are returned sorted by creation date, with the most recently created tickets appearing first.", "order descending creation date tickets"},
		{prose.Operation, "Tickets are sorted by priority in descending order.", "order descending priority tickets"},
		{prose.Response, "The list is sorted by `created_at`, newest first.", "order descending created_at"},
		{prose.Operation, "By default, tickets are ordered by ascending number.", "order number tickets"},
		{prose.Operation, "Tickets are in descending order of price.", "order descending price tickets"},
		{prose.Operation, "List tickets grouped by queue, the newest first.", ""},
		{prose.Operation, "Returns tickets whose newest comment is first.", ""},
		{prose.Operation, "Tickets are sorted by priority, then by age, newest first.", ""},
		{prose.Operation, "Tickets are sorted by name.", ""},
		{prose.Operation, "Lists tickets in order of priority, oldest first.", ""},
		{prose.Operation, "Lists tickets by status, newest first.", ""},
		{prose.Operation, "Lists open before closed tickets, newest first.", ""},
		{prose.Operation, "Lists open tickets first, sorted by name ascending.", ""},
		{prose.Operation, "Returns the latest version first.", ""},
		{prose.Operation, "Tickets are usually listed newest first.", ""},
		{prose.Operation, "Tickets are listed newest first if no query is given.", ""},
		{prose.Operation, "Pinned tickets, newest first.", ""},
		{prose.Schema, "The newest first.", ""},
		{prose.Response, "A ticket with this title already exists.", "unique value title ticket"},
		{prose.Response, "Returns an error if a ticket with the same name already exists.", "unique value name ticket"},
		{prose.Response, "The name is taken.", "unique value name"},
		{prose.Response, "Conflict: the email address is already in use.", "unique value email address"},
		{prose.Response, "The ticket already exists.", "unique value ticket"},
		{prose.Response, "There is no ticket with this title.", ""},
		{prose.Response, "A ticket with this title may already exist.", ""},
		{prose.Response, "A ticket with this title already exists in another queue.", ""},
		{prose.Operation, "Titles must be unique.", "unique value titles"},
		{prose.Operation, "The title of a ticket must be unique.", "unique value title ticket"},
		{prose.Operation, "Titles need not be unique.", ""},
		{prose.Schema, "Must be later than `from`.", "order of two values from "},
		{prose.Schema, "Must not be before the start date.", "order of two values start date "},
		{prose.Schema, "Must be less than or equal to `max`.", "order of two values  max"},
		{prose.Operation, "`to` must be later than `from`.", "order of two values from to"},
		{prose.Response, "Returned if `to` is before `from`.", "order of two values from to"},
		{prose.Operation, "Returns 422 if `to` is not later than `from`.", "order of two values from to"},
		{prose.Operation, "Returns 422 if `to` is before `from` and the ticket is open.", ""},
		{prose.Schema, "Should be later than `from`.", ""},
		{prose.Operation, "The end is after the start.", ""},
		{prose.Schema, "Must be later than `from`, if that is given.", ""},
		{prose.Schema, "May be earlier than `from`.", ""},
		{prose.Schema, "Must be greater than the currently authorized amount.", ""},
		{prose.Schema, "Must be unique.", "unique value"},
		{prose.Schema, "Must be unique across all tickets.", "unique value tickets"},
		{prose.Schema, "Must be unique if it is given.", ""},
		{prose.Schema, "Should be unique.", ""},
		{prose.Schema, "Must be unique in combination with name.", ""},
		{prose.Schema, "Must be unique across all active projects.", ""},
		{prose.Operation, "A ticket with the given title was created.", ""},
		{prose.Operation, "A ticket with the given title.", ""},
		{prose.Operation, "Returns 409 if a ticket with this title already exists.", "unique value title ticket"},
		{prose.Schema, "The combination of name and queue must be unique.", ""},
		{prose.Document, "No ticket is shown on two pages.", "pages do not overlap"},
		{prose.Document, "A ticket may be shown on two pages.", ""},
		{prose.Schema, "The unique identifier of the ticket.", "identifier"},
		{prose.Schema, "Unique identifier", "identifier"},
		{prose.Schema, "Unique within its queue.", ""},
		{prose.Schema, "The unique identifier of the ticket in its queue.", ""},

		{prose.Document, "Everything is returned as it was sent.", "returned as sent"},
		{prose.Operation, "Each ticket is stored and returned exactly as it was sent.", "returned as sent ticket"},
		{prose.Document, "All members of a ticket are returned as they were sent.", "returned as sent ticket"},
		{prose.Document, "Everything but the state is returned as it was sent.", ""},
		{prose.Document, "Tickets are not returned as they were sent.", ""},
		{prose.Operation, "Each ticket is returned as it was sent if it is open.", ""},
		{prose.Schema, "The title is returned as it was sent.", ""},
		{prose.Operation, "A created ticket can be read at once.", "read at once ticket"},
		{prose.Operation, "A created ticket can usually be read at once.", ""},
		{prose.Operation, "A created ticket cannot be read at once.", ""},
		{prose.Operation, "A new ticket appears in the list immediately.", "listed at once ticket"},
		{prose.Operation, "A deleted ticket can no longer be read.", "gone ticket"},
		{prose.Operation, "Reading a deleted ticket returns 404.", "gone ticket 404"},
		{prose.Operation, "A deleted ticket can still be read.", ""},
		{prose.Operation, "A deleted ticket can no longer be changed.", ""},
		{prose.Operation, "A deleted ticket can no longer be read after 30 days.", ""},
		{prose.Document, "Deleted tickets are no longer listed.", "no longer listed tickets"},
		{prose.Operation, "Deleting is idempotent.", "idempotent deletion"},
		{prose.Operation, "Deleting is not idempotent.", ""},
		{prose.Operation, "Replaces the whole ticket.", "replaced ticket"},
		{prose.Operation, "Members that are left out are removed.", "replaced"},
		{prose.Operation, "Replaces the text of the ticket.", ""},
		{prose.Operation, "Members that are left out are kept.", ""},
		{prose.Operation, "Only the given members are changed.", "the rest is kept"},
		{prose.Operation, "Any members not provided will be left unchanged.", "the rest is kept"},
		{prose.Operation, "Members that are left out may be reset.", ""},
		{prose.Schema, "Read-only.", "read-only"},
		{prose.Schema, "Set by the server.", "read-only"},
		{prose.Schema, "Cannot be changed after creation.", "read-only"},
		{prose.Schema, "Cannot be changed while the ticket is open.", ""},
		{prose.Schema, "Read-only for guests.", ""},
		{prose.Schema, "Whether it is read-only.", ""},
		{prose.Schema, "Never returned.", "never returned"},
		{prose.Schema, "Is never returned in responses.", "never returned"},
		{prose.Schema, "Never returned in lists.", ""},
		{prose.Schema, "Not returned if it is empty.", ""},
		{prose.Parameter, "Repeating a request with the same key creates nothing new.", "idempotency key"},
		{prose.Parameter, "Repeating a request with the same key after a day creates another ticket.", ""},
		{prose.Parameter, "Orders with the same key are placed once.", "idempotency key"},
		{prose.Parameter, "Orders with the same key are placed once a day.", ""},
		{prose.Parameter, "What the books are sorted by.", "sort"},
		{prose.Parameter, "The most books of a page.", "limit"},
		{prose.Header, "It changes whenever the ticket changes.", "entity tag ticket"},
		{prose.Document, "Formats are enforced.", "formats are enforced"},
		{prose.Document, "Formats are not enforced.", ""},
	} {
		c, ok := reader.Read(row.place, row.text)
		got := ""
		if ok {
			got = string(c.Form)
			switch c.Form {
			case prose.Range, prose.Length, prose.Count, prose.Bounded:
				got += " " + c.Low + " " + c.High
			default:
				if c.Descending {
					got += " descending"
				}
				for _, v := range c.Values {
					got += " " + v
				}
				for _, one := range []string{c.Value, c.Noun} {
					if one != "" {
						got += " " + one
					}
				}
				for _, status := range c.Statuses {
					got += fmt.Sprint(" ", status)
				}
			}
		}
		if got != row.want {
			t.Errorf("%s in %s is read as %q, want %q", row.text, row.place, got, row.want)
		}
	}
}

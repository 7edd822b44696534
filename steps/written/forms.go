package written

import (
	"context"
	"slices"

	"github.com/hallmark-kit/hallmark/spec/sentence"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Patterns of what steps name.
const (
	aName  = sentence.Name
	aText  = sentence.Text
	aJSON  = sentence.JSON
	object = `(\{.*\})`
	called = `(?: called ` + aText + `)?(?: with ` + object + `)?`
	it     = `(it|"(?:[^"\\]|\\.)*")`
)

// The headings under which steps are listed.
const (
	groupThings    = "What a scenario creates"
	groupMembers   = "What a response holds"
	groupResponses = "Statuses and headers"
	groupValues    = "Values for later"
	groupSeveral   = "Several requests"
)

// Forms are the steps of features that people write.
func Forms() []scenario.Form {
	return slices.Concat(thingForms(), memberForms(), responseForms(), valueForms(), severalForms(), tableForms())
}

func thingForms() []scenario.Form {
	return []scenario.Form{
		{
			Pattern: `(?:a|an|another) created ` + aText + called, Do: givenCreated, Group: groupThings, Example: `a created "ticket" called "mine" with {"title": "Printer {new}"}`,
			Means: `Creates one, with the operation that adds to the collection. From then on "it", its word and its name refer to it, and so do later calls.`,
		},
		{
			Pattern: `(\d+) created ` + aText + `(?: with ` + object + `)?`, Do: givenSeveral, Group: groupThings, Example: `3 created "tickets" with {"colour": "red"}`,
			Means: "Creates several.",
		},
		{
			Pattern: `what ` + aName + ` creates` + called, Do: givenCreatedBy, Group: groupThings, Example: `what "openTicket" creates called "mine"`,
			Means: "Creates one with the named operation.",
		},
		{
			Pattern: it + ` is (read|deleted)()`, Do: whenDone, Group: groupThings, Example: `it is read`,
			Means: "Reads or deletes it. A creation has the time of --settle to become visible, and so has a deletion.",
		},
		{
			Pattern: it + ` is (replaced with |changed with )` + object, Do: whenDone, Group: groupThings, Example: `it is changed with {"colour": "green"}`,
			Means: "Replaces members of it by PUT, which sends the rest of a plain body too, or changes them by PATCH.",
		},
		{
			Pattern: it + ` is read at once`, Do: whenReadAtOnce, Group: groupThings, Example: `it is read at once`,
			Means: "Reads it, and does not wait for a creation to become visible unless --settle says so.",
		},
		{
			Pattern: `everything that ` + aName + ` created can still be read(?: with the same (.+))?`, Do: thenLasting, Group: groupThings,
			Example: `everything that "openTicket" created can still be read with the same title and colour`,
			Means:   "Reads each resource that the run created by the operation and did not delete, up to 500, and compares the named members with what was sent.",
		},
		{
			Pattern: it + ` (can be read|can no longer be read)`, Do: thenReadable, Group: groupThings, Example: `it can no longer be read`,
			Means: "Reads it: a success, or 404 or 410, within the time of --settle.",
		},
		{
			Pattern: it + ` (is listed|is no longer listed)`, Do: thenListed, Group: groupThings, Example: `"mine" is no longer listed`,
			Means: "Looks for it in the list of its collection, pages followed, within the time of --settle.",
		},
		{
			Pattern: it + ` (is listed at once)`, Do: thenListed, Group: groupThings, Example: `it is listed at once`,
			Means: "Looks for it in the list of its collection, and does not wait for it to appear unless --settle says so.",
		},
		{
			Pattern: `each of them (can be read|is listed|is listed at once)`, Do: thenEach, Group: groupThings, Example: `each of them can be read`,
			Means: "The same for each resource that the calls of the step before created.",
		},
		{
			Pattern: `each identifier is new`, Do: thenNew, Group: groupThings, Example: `each identifier is new`,
			Means: "The resources created by the calls of the step before have identifiers that no other resource of the run has.",
		},
	}
}

func memberForms() []scenario.Form {
	of := func(pattern string, predicateOf func(*scenario.Scenario, string) (predicate, error), example, means string) scenario.Form {
		return scenario.Form{Pattern: subject + aName + " " + pattern, Do: memberStep(predicateOf), Group: groupMembers, Example: example, Means: means}
	}
	return []scenario.Form{
		of(`is `+aJSON, equals, `in the response, title is "Printer"`, "The member, by its name or a JSON pointer, has that value. Numbers are compared exactly."),
		of(`is not `+aJSON, isNot, `in each item, state is not "deleted"`, "It has another value, or is not there."),
		of(`is one of (\[.*\])`, isOneOf, `in each item of tickets, colour is one of ["red", "green"]`, "It has one of the values."),
		of(`matches `+aText, matches, `in the response, title matches "^Printer \d+$"`, "It is a text that matches the regular expression (RE2); a backslash is not an escape."),
		of(`is an? (string|number|integer|boolean|object|array)`, isA, `in the response, /owner/name is a string`, "It is of that type."),
		of(`is (present|absent)`, isThere, `in the response, secret is absent`, "It is there, or is not."),
		of(`contains `+aJSON, contains, `in the response, labels contains "urgent"`, "A text holds it, a list has such an item, an object has these members."),
		of(`is ((?:at least|at most|more than|less than) -?\d[\d.eE+-]*)`, compares, `in each item, price is at least 0.01`, "It is such a number, compared exactly."),
		{
			Pattern: subject + aName + ` has (exactly|at least|at most) (\d+) items?`, Group: groupMembers, Example: `in the response, labels has at most 5 items`, Means: "It is a list of that length.",
			Do: func(ctx context.Context, words, member, how, number string) error {
				return memberStep(counts)(ctx, words, member, how+"\x00"+number)
			},
		},
		{
			Pattern: subject + aName + ` is what was sent`, Group: groupMembers, Example: `in the response, title is what was sent`,
			Means: "It has the value that the request sent, or with which the scenario created the resource that is read.",
			Do: func(ctx context.Context, words, member string) error {
				return memberStep(isSent)(ctx, words, member, member)
			},
		},
		{
			Pattern: `it holds ` + object, Do: thenHolds, Group: groupMembers, Example: `it holds {"title": "Printer", "colour": "red"}`,
			Means: "The response has these members with these values; there may be others.",
		},
		{
			Pattern: `the response is (a list|an object)`, Do: thenKind, Group: groupMembers, Example: `the response is a list`,
			Means: "The body is a JSON array, or a JSON object.",
		},
		{
			Pattern: it + ` is shown as (?:its|the) creation showed it`, Do: thenAsCreated, Group: groupThings, Example: `it is shown as its creation showed it`,
			Means: "The last response shows each documented member that the response to its creation showed, with the same value; its item, if that is a list, each of those that it shows.",
		},
		{
			Pattern: it + ` shows no member that its creation did not show`, Do: thenNothingElse, Group: groupThings, Example: `it shows no member that its creation did not show`,
			Means: "The last response shows no documented member that the response to its creation lacked.",
		},
		{
			Pattern: `the response has (exactly|at least|at most) (\d+) items?`, Do: thenCount, Group: groupMembers, Example: `the response has at most 3 items`,
			Means: "The list in the response has that length: the body itself, or its only member that is a list. That an empty one has at most so many says nothing.",
		},
		{
			Pattern: `no two items(?: of ([^\s,]+))? have the same ` + aName, Do: thenDistinct, Group: groupMembers, Example: `no two items have the same id`,
			Means: "The items of the list that have this member differ in it. A list of fewer than two items ends the scenario.",
		},
		{
			Pattern: `the response is as before(?:, but for (.+))?`, Do: thenAsBefore, Group: groupMembers, Example: `the response is as before, but for views, changed`,
			Means: "It is the same as the previous response to the same request, except for the named members. Bodies other than JSON are compared byte by byte.",
		},
		{
			Pattern: `the response is not as before`, Do: thenChanged, Group: groupMembers, Example: `the response is not as before`,
			Means: "Its body differs from that of the previous response to the same request.",
		},
	}
}

func responseForms() []scenario.Form {
	return []scenario.Form{
		{
			Pattern: `(the|each) response is a (success|refusal)`, Do: thenClass, Group: groupResponses, Example: `the response is a refusal`,
			Means: "The status is 2xx, or 4xx.",
		},
		{
			Pattern: `the scenario goes on where (?:there are no items|no item has ` + aName + ` ` + aJSON + `)`, Do: goesOnWhereNone, Group: groupResponses,
			Example: `the scenario goes on where no item has colour "red"`,
			Means:   "Otherwise it ends there, and judges nothing.",
		},
		{
			Pattern: `the scenario goes on where the response is (a success|a refusal|an error|\d{3}(?: or \d{3})*)`, Do: goesOnWhere, Group: groupResponses, Example: `the scenario goes on where the response is an error`,
			Means: "Ends the scenario where the status is no 2xx, no 4xx, neither 4xx nor 5xx, or none of those named.",
		},
		{
			Pattern: `the response is (no server error)`, Do: thenNoServerError, Group: groupResponses, Example: `the response is no server error`,
			Means: "The status is no 5xx.",
		},
		{
			Pattern: `at least one response is (\d{3})`, Do: thenSomeStatus, Group: groupResponses, Example: `at least one response is 429`,
			Means: "One of the calls of the step before has the status.",
		},
		{
			Pattern: `the response has (the header|no header) (\S+)`, Do: thenHeaderThere, Group: groupResponses, Example: `the response has the header Location`,
			Means: "The header is there, or is not.",
		},
		{
			Pattern: `the response's header (\S+) is ` + aText, Do: thenHeaderIs, Group: groupResponses, Example: `the response's header Cache-Control is "no-store"`,
			Means: "The header has that value.",
		},
		{
			Pattern: `the response's header (\S+) is ((?:at least|at most|more than|less than) -?\d[\d.eE+-]*)`, Do: thenHeaderCompares, Group: groupResponses,
			Example: `the response's header X-Total-Count is at least 3`, Means: "The header is such a number.",
		},
		{
			Pattern: `the response's header (\S+) matches ` + aText, Do: thenHeaderMatches, Group: groupResponses, Example: `the response's header Location matches "/tickets/\d+$"`,
			Means: "The regular expression (RE2) matches the header.",
		},
	}
}

func valueForms() []scenario.Form {
	return []scenario.Form{
		{
			Pattern: `in the response, ` + aName + ` is remembered as ` + aText, Do: remember, Group: groupValues, Example: `in the response, id is remembered as "first"`,
			Means: `Keeps the value: "{first}" in later steps is replaced by it, and {first} within a text by its text.`,
		},
		{
			Pattern: `the response's header (\S+) is remembered as ` + aText, Do: rememberHeader, Group: groupValues, Example: `the response's header ETag is remembered as "tag"`,
			Means: "Keeps the value of a header.",
		},
		{
			Pattern: `the header (\S+) is (absent|"(?:[^"\\]|\\.)*")`, Do: givenHeader, Group: groupValues, Example: `the header If-Match is "{tag}"`,
			Means: `The next call carries that header, as the ETag of a response came; absent leaves one out that a plain request has. If If-Match is required, a call without this step sends the current ETag.`,
		},
		{
			Pattern: aJSON + ` is remembered as ` + aText, Do: rememberValue, Group: groupValues, Example: `"Printer {new}" is remembered as "title"`,
			Means: "Keeps a value; {new} is a unique name.",
		},
	}
}

func severalForms() []scenario.Form {
	return []scenario.Form{
		{
			Pattern: aName + ` is called (\d+) times by (\d+) clients at once`, Do: whenAtOnce, Group: groupSeveral, Example: `"openTicket" is called 16 times by 8 clients at once`,
			Means: "Several clients call an operation at the same time, each with its own names.",
		},
		{
			Pattern: aName + ` is called until the response is (\d{3})`, Do: untilStatus, Group: groupSeveral, Example: `"readTicket" is called until the response is 200`,
			Means: "Calls an operation until its response has the status, for at most the time of --settle. A later step judges whether it did.",
		},
		{
			Pattern: aName + ` is called until ` + aName + ` is ` + aJSON, Do: untilMember, Group: groupSeveral, Example: `"readTicket" is called until state is "closed"`,
			Means: "Calls an operation until a member has the value, in the same way.",
		},
		{
			Pattern: `each response shows the same(?: (.+))?`, Do: thenAlike, Group: groupSeveral, Example: `each response shows the same title and colour`,
			Means: "The calls of the step before have the same status and the same body, or the same of these members.",
		},
	}
}

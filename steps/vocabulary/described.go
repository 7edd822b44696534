package vocabulary

import (
	"slices"

	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// The headings under which steps are listed, in addition to those of package written.
const (
	calls    = "Calls of operations"
	plain    = "Requests that differ from a plain one"
	beyond   = "Beyond the contract"
	outcomes = "What derived scenarios judge"
)

// described sets the heading, the example and the description of steps. An example belongs to the first step that
// matches it.
func described(group string, forms []scenario.Form, texts ...[2]string) []scenario.Form {
	for i := range forms {
		form := forms[i].Compile()
		at := slices.IndexFunc(texts, func(one [2]string) bool { return form.MatchString(one[0]) })
		if at < 0 {
			continue // a test requires one for each
		}
		forms[i].Group, forms[i].Example, forms[i].Means = group, texts[at][0], texts[at][1]
	}
	return forms
}

func callTexts() [][2]string {
	return [][2]string{
		{`the credential is missing`, `The next call carries that credential: missing, one that is wrong in a way, or: that of the role "editor".`},
		{`openTicket has answered 201`, `Calls an operation; the scenario goes on only if the response has that status.`},
		{`a plain body where title is "Printer {new}"`, `A member of the next body has that value; the rest is plain.`},
		{`a plain body where title is 41 characters long`, `A member of the next body is a unique text of that length.`},
		{`a plain body where title is called name`, `A member of the next body has another name.`},
		{`a plain body without colour`, `The next body lacks a member.`},
		{`a plain body with "labels": ["urgent"]`, `The next body has more members.`},
		{`a plain body cut short`, `The next body is damaged so that it is not JSON.`},
		{`a plain body written over several lines`, `The next body is written in another form with the same meaning.`},
		{`the body is {"title": "Printer"}`, `The whole next body.`},
		{`there is no body`, `The next call has no body.`},
		{`the body is empty`, `The next body has no bytes.`},
		{`the body is blank`, `The next body is white space.`},
		{`the Content-Type is text/plain`, `The media type of the next body; absent for none.`},
		{`readTicket is called 3 times with ticketId {mine}`, `Calls an operation: a plain request about what the scenario created, with parameters by name (limit 3 and colour red).`},
		{`the response is 200 or 202`, `The status of the last response.`},
		{`each response is 201`, `The status of each call of the step before.`},
		{`the response is 404, or 200 with that ticketId`, `The resource is not found, or it is the requested one.`},
		{`the response is the service's own choice`, `The response is recorded, and never reported as a violation.`},
		{`the response is the service's own choice of 201 and 400`, `One of two statuses; which of them is recorded.`},
		{`what was sent comes back`, `Each member that was sent is shown, exactly. ", if it was accepted" leaves out refusals.`},
		{`its title is what was sent`, `A member that was sent is shown, exactly. ", if it was accepted" leaves out refusals.`},
	}
}

func beyondTexts() [][2]string {
	return [][2]string{
		{`GET /nonesuch is sent`, `A request that the contract does not define, by a method that changes nothing.`},
		{`a removed readTicket is called`, `Calls an operation after its removal date.`},
		{`the order of its items by title is recorded`, `Whether the items ascend or descend by a member is recorded.`},
		{`its header Location is recorded`, `Whether the header is there is recorded.`},
		{`what is answered beyond the interface is recorded`, `The response is recorded; only a server error is told.`},
	}
}

func requestTexts() [][2]string {
	return [][2]string{
		{`a plain request to "openTicket" that succeeds`, `Begins a request that keeps the contract; "that succeeds" sends it first, and ends the scenario where it does not.`},
		{`its query parameter limit is 5`, `A parameter (path, query, header or cookie) has that value.`},
		{`it has no query parameter limit`, `A parameter is left out.`},
		{`its path parameter ticketId belongs to nothing`, `An identifier that nothing has.`},
		{`its body is {"title": "Printer"}`, `The whole body.`},
		{`in its body, /to is below /from`, `A member of the body lies slightly below another one: a day or a unit.`},
		{`in its body, /title is "Printer {new}"`, `A member of the body has that value.`},
		{`its body has no /title`, `A member of the body is left out.`},
		{`it has no body`, `The body is left out.`},
		{`its body reads "{"`, `The bytes of the body.`},
		{`its body is written over several lines`, `The body is written in another way that means the same.`},
		{`the text /title in its body ends in half of a surrogate pair`, `A text in the body ends in something that no standard gives a meaning.`},
		{`its body is sent in single quotes`, `The body is damaged in a way that makes it no JSON.`},
		{`it asks for nothing but text/csv`, `Accept names that media type alone.`},
		{`its body is sent with the Content-Type text/plain`, `The same bytes under another media type.`},
		{`its body is written as application/xml`, `The same value in another media type.`},
		{`its part page has no header X-Side`, `A header of a part of a multipart body is left out.`},
		{`in its part page, the header X-Side is "left"`, `A header of a part of a multipart body has that value.`},
		{`its credential is missing`, `The credential is wrong in that way.`},
		{`it succeeds so as well`, `The changed request succeeds, and the scenario goes on from there.`},
		{`it is sent`, `Sends the request.`},
		{`it is sent twice, word for word`, `Sends the request, and the same again though it may be there already.`},
	}
}

func outcomeTexts() [][2]string {
	return [][2]string{
		{`what comes of it is the service's own choice`, `The response is recorded.`},
		{`the response is a success that the contract documents`, `The status is a documented success.`},
		{`it is accepted as well`, `What the contract allows is not refused.`},
		{`it is answered without a server error`, `The status is no 5xx.`},
		{`it is refused`, `The status is a documented refusal.`},
		{`nothing is found`, `The status is 404, or a documented refusal.`},
		{`nobody is let in`, `The status is 401, or 403 where 401 is not documented.`},
		{`it leads to a success`, `What a link leads to is there.`},
		{`it is accepted or refused`, `A text of doubtful meaning is accepted or refused, without a server error.`},
		{`no server error comes of it`, `What the contract does not list brings nothing down.`},
	}
}

func pathTexts() [][2]string {
	return [][2]string{
		{`GET is sent to the path of "openTicket"`, `A method that the path lacks.`},
		{`the link next of its response is followed`, `Follows a documented link.`},
		{`HEAD is sent in its place`, `Repeats a GET as HEAD.`},
		{`the method is not allowed`, `The status is 405, with Allow.`},
		{`it is no reason to break`, `HEAD brings nothing down.`},
	}
}

func lifeTexts() [][2]string {
	return [][2]string{
		{`it shows no more than limit`, `The list is no longer than the parameter asks for.`},
		{`each of its items has the asked colour`, `The list shows only what the parameter asks for.`},
		{`nothing is in it twice`, `The list shows each identifier once.`},
		{`"listTickets" lists what there is`, `Reads the list to its end.`},
		{`it is not listed any more`, `What was deleted is not in the list.`},
		{`what was refused is looked for in "listTickets"`, `Looks for what refused creations named.`},
		{`none of it is there`, `Refused creations left nothing.`},
		{`its items ascend by title`, `The list is in the ascending order of a member.`},
		{`its items descend by title`, `The list is in the descending order of a member.`},
		{`its items are in the order of title`, `The list is in the ascending or the descending order of a member.`},
		{`it is sent, and its items differ in created`, `Lists, and if all items have the same value, creates one more and lists again.`},
		{`it is sent for two values of "closed"`, `Asks for a list by each of two values of a parameter.`},
		{`neither response shows what the other value asks for`, `What one value of a parameter shows the other does not.`},
		{`it is sent without limit and with its default in turns`, `Lists by the default of a limit, without the limit, and by the default again.`},
		{`both show as many`, `Without the limit the list is as long as by its default.`},
		{`there is one to list`, `Creates a resource that the list can show.`},
		{`there is one to list that was created without colour`, `Creates one, and leaves out an optional member.`},
		{`it is sent without colour and for each of its values`, `Reads a short list to its end: whole, for each value of a filter, and whole again.`},
		{`it is sent without price_min and for values of what it shows`, `Reads a short list to its end: whole, for values chosen among those that it shows, and whole again.`},
		{`each value shows just what has it`, `A value of the filter shows all resources of the run that have it, and no others.`},
		{`it is sent, and "readTicket" reads some of what it shows`, `Lists, reads some of the run's own resources, and lists again.`},
		{`each is read as it is listed`, `Reads show the names and whole numbers that the list shows.`},
		{`there is a little more than "listTickets" shows at most`, `Creates what is missing for the longest list, if that is little.`},
		{`it is sent with the greatest values of limit, and with some that are not allowed`, `Lists by great limits, and by values that the contract does not allow.`},
		{`no list is longer than was asked for`, `No list shows more than its limit.`},
		{`it is refused three times, and "listTickets" lists what there is around each`, `Sends what is refused, with the list before and after it.`},
		{`the list shows nothing of it`, `The list has no new item that only a refused creation can have left.`},
	}
}

func storyTexts() [][2]string {
	return [][2]string{
		{`it creates a resource`, `Sends the request that creates; what follows is repeated with a second resource before it is told.`},
		{`another one is created`, `Creates one more.`},
		{`"readTicket" reads it`, `Reads what was created.`},
		{`"readTicket" reads it once more`, `Reads it again.`},
		{`"listTickets" is looked through for it`, `Calls a list, page by page, until it shows what was created.`},
		{`"deleteTicket" deletes it`, `Deletes what was created.`},
		{`"deleteTicket" deletes it once more`, `Deletes it again.`},
		{`it creates two, "deleteTicket" deletes the later one, and "readTicket" reads the earlier one before and after that`, `Creates two, and deletes one of them.`},
		{`it is found`, `What was created can be read.`},
		{`it holds what was sent`, `What was sent comes back, normal forms and what the service sets aside.`},
		{`its Location leads to it`, `The Location of a 201 is where what was created is read.`},
		{`their identifiers differ`, `Two that were created are told apart.`},
		{`it is the one that was asked for`, `A read shows the one that was asked for.`},
		{`"readTicket" is asked for identifiers near its own`, `Reads by numbers that are mistaken for an identifier: with another sign, more digits, more bits.`},
		{`each is answered with itself or not at all`, `No such read shows another resource of the run.`},
		{`another one is created with its identifier`, `Sends a creation with the identifier of a resource that is there.`},
		{`that one has an identifier of its own`, `The creation is refused, or gets another identifier, and the earlier resource is as it was.`},
		{`it is as it was`, `Reading twice shows the same.`},
		{`it is gone`, `What was deleted is answered 404 or 410.`},
		{`the earlier one is still there`, `What another one's deletion should leave alone can be read.`},
		{`that is no error`, `Deleting again is a success, 404 or 410.`},
	}
}

func keyTexts() [][2]string {
	return [][2]string{
		{`it creates a resource by a new idempotency key`, `Creates one, with a key that nothing else has.`},
		{`the same is sent by that key`, `Sends the same request again, with the same key.`},
		{`the same is sent by another key`, `Sends the same request again, with another key.`},
		{`it is the same resource`, `Both responses show the same resource.`},
		{`it is another resource`, `The responses show two resources.`},
	}
}

func updateTexts() [][2]string {
	return [][2]string{
		{`there is a resource to be changed`, `Creates a resource for what follows.`},
		{`"changeTicket" changes it`, `Sends what the scenario says to change it.`},
		{`"replaceTicket" gives it other values`, `Changes each member that may have another value.`},
		{`"replaceTicket" leaves out what it may`, `Sends the required members only.`},
		{`"changeTicket" changes one member of it alone`, `Changes one member.`},
		{`"changeTicket" changes its member "title" alone`, `Changes this member.`},
		{`it creates a resource with all that is known`, `Creates a resource with each member that the contract names.`},
		{`it shows what was sent`, `What was changed is shown as it was sent.`},
		{`what was left out is not what it was`, `What a PUT leaves out is not kept.`},
		{`the rest of it is as it was`, `What a PATCH leaves out is kept.`},
		{`what is only to be read is as it was`, `Members that are only to be read did not change.`},
		{`"changeTicket" sets its member "text" to null`, `Sends null for this member alone.`},
		{`"changeTicket" changes one member in "contact"`, `Sends another value for one member of this object.`},
		{`what is null is not what it was`, `A merge patch removes what is null in it.`},
		{`what else is in it is as it was`, `A merge patch leaves alone what it does not name in an object.`},
		{`what was sent to create it was shown, too`, `What shows a change of a member showed what the creation sent, too.`},
		{`its identifier and the time of its creation are as they were`, `A change leaves the identifier and the time of the creation alone.`},
		{`it creates a resource with values of what is only to be read`, `Sends values of read-only members to create a resource.`},
		{`what is only to be read is not what was sent`, `Read-only members do not show what was sent.`},
		{`nothing of it was changed`, `What was refused changed nothing.`},
	}
}

func pageTexts() [][2]string {
	return [][2]string{
		{`five more are created`, `Creates five more.`},
		{`"listTickets" lists them`, `Looks for what was created in the list.`},
		{`all of them are listed`, `What was created is in the list.`},
		{`it is refused with a text of its own`, `Sends what must be refused, with a text that nothing else has.`},
		{`"listTickets" is looked through for that text`, `Reads the list to its end.`},
		{`it is not there`, `Nothing in the list holds the text of what was refused.`},
		{`its pages are followed`, `Follows the pages of a list.`},
		{`no page shows what the page before it shows`, `Pages are disjoint.`},
		{`they show all that one page shows`, `Pages are complete.`},
		{`they come to an end`, `Following pages ends.`},
		{`each shows the same total, and no less than they show`, `The total is the same on small pages as on big ones, and no less than what all of them show.`},
		{`its first pages are followed, each of two items`, `Follows the first pages of a list, in small pages.`},
		{`each of their items has the asked colour`, `Pages behind the first show only what the parameter asks for, too.`},
	}
}

func crowdTexts() [][2]string {
	return [][2]string{
		{`that lets nobody in`, `Nobody is let in by a credential that is valid, but for somebody or something else: 403 or 401.`},
		{`its credential changes nothing`, `A wrong credential is ignored where the contract says that none is needed: no 401 or 403.`},
		{`that lets in as well`, `Another alternative of the credentials that the contract asks for is accepted: no 401.`},
		{`8 are created at the same time`, `Creates several, by as many clients at once.`},
		{`"readTicket" reads each of them`, `Reads what was created at the same time.`},
		{`each is told apart, and is what was sent`, `None of them is lost, and none shows what belongs to another.`},
		{`"changeTicket" gives it a new text`, `Changes a member that holds a text.`},
		{`"changeTicket" gives it other texts at the same time, while "readTicket" reads it`, `Several clients change it, and others read it meanwhile.`},
		{`one order of the changes explains what is read`, `What was read agrees with the changes in some order.`},
		{`"deleteTicket" deletes it, while "readTicket" reads it`, `Deletes it, and others read it meanwhile.`},
		{`it is gone, and stays so`, `Once it was not found, nobody finds it again.`},
		{`"closeTicket" acts on it`, `Calls an operation that acts on it, such as POST /tickets/{id}/close.`},
		{`it is shown as the action showed it`, `A read shows what the response to the action showed.`},
		{`"readFile" returns the bytes that it sends`, `Stores bytes, and reads them.`},
		{`another one is sent with the same title`, `Sends another one whose member has the value of the first.`},
		{`no two have it`, `The second was refused, or is the first.`},
	}
}

func tagTexts() [][2]string {
	return [][2]string{
		{`"readTicket" reads it by the ETag that it has`, `Reads it with If-None-Match and its present entity tag.`},
		{`"readTicket" reads it by the ETag that it had before`, `Reads it with If-None-Match and an earlier entity tag.`},
		{`"changeTicket" changes it by the ETag that it has`, `Changes it with If-Match and its current entity tag.`},
		{`"changeTicket" changes it by the ETag that it had before`, `Changes it with If-Match and an earlier entity tag.`},
		{`"deleteTicket" deletes it by the ETag that it has`, `Deletes it with If-Match and its current entity tag.`},
		{`"deleteTicket" deletes it by the ETag that it had before`, `Deletes it with If-Match and an earlier entity tag.`},
		{`it has another ETag`, `The entity tag changed with what is shown.`},
		{`it is not modified`, `The status is 304.`},
		{`it is shown as it is now`, `The status is not 304, and the response shows the resource.`},
		{`the ETag of before is refused`, `The status is 412.`},
		{`the ETag lets it in`, `The status is not 412.`},
		{`the ETag is shown with it`, `The 304 has the entity tag.`},
		{`"replaceTicket" is to create it only where there is none`, `Replaces it with If-None-Match: *.`},
		{`it is refused, for there is one`, `The status is 412.`},
	}
}

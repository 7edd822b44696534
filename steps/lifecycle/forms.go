package lifecycle

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps/credentials"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

type credential = credentials.Credential

// Forms returns the steps about the life of resources.
func Forms() []scenario.Form {
	return append(slices.Concat(listForms(), updateForms(), unnamedForms(), concurrentForms(), tagForms(), nearForms(), wholeListForms(), refusedForms(), fullForms(), uniqueForms()), []scenario.Form{
		{Pattern: promise.Creates, Do: moved(creates)},
		{Pattern: promise.CreatesWhole, Do: moved(createsAll)},
		{Pattern: promise.CreatesReadOnly, Do: moved(createsReadOnly)},
		{Pattern: promise.NotAsSent, Do: then(notAsSent)},
		{Pattern: promise.CreatesOther, Do: moved(createsAnother)},
		{Pattern: promise.Reads.Pattern(), Do: movedBy(reads)},
		{Pattern: promise.ReadsAgain.Pattern(), Do: movedBy(reads)},
		{Pattern: promise.Deletes.Pattern(), Do: movedBy(deletes)},
		{Pattern: promise.DeletesAgain.Pattern(), Do: movedBy(deletes)},
		{Pattern: promise.OneOfTwo.Pattern(), Do: movedByTwo(deletesLater)},
		{Pattern: promise.StillThere, Do: then(isStillThere)},
		{Pattern: promise.IsFound, Do: then(isFound)},
		{Pattern: promise.HoldsSent, Do: then(holdsSent)},
		{Pattern: promise.IdentifiersDiffer, Do: then(identifiersDiffer)},
		{Pattern: promise.LeadsToIt, Do: then(locationLeads)},
		{Pattern: promise.IsTheOneAsked, Do: then(isRequested)},
		{Pattern: promise.IsAsItWas, Do: then(isUnchanged)},
		{Pattern: promise.IsGone, Do: then(isGone)},
		{Pattern: promise.IsNoError, Do: then(secondDeletionAccepted)},
		{Pattern: promise.BytesComeBack.Pattern(), Do: whenBytes},
		{Pattern: promise.ActsOn.Pattern(), Do: movedBy(actsOn)},
		{Pattern: promise.ShownAsActed, Do: then(shownAsActed)},
	}...)
}

func moved(m move) func(context.Context) error {
	return func(ctx context.Context) error { return perform(ctx, scenario.From(ctx), m) }
}

func movedBy(m func(*spec.Operation) move) func(context.Context, string) error {
	return func(ctx context.Context, name string) error {
		s := scenario.From(ctx)
		op, err := operation(s, unquoted(name))
		if err != nil {
			return err
		}
		return perform(ctx, s, m(op))
	}
}

// unquoted returns a name as steps write it, without its quotes.
func unquoted(name string) string {
	if strings.HasPrefix(name, `"`) {
		if text, err := strconv.Unquote(name); err == nil {
			return text
		}
	}
	return name
}

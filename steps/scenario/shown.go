package scenario

import (
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// Shown returns what a response shows by an identifier: a resource that paths name in a slot, below what the request names.
func Shown(slot resource.Slot, asked *request.Request, id any) *Resource {
	return &Resource{Slot: &slot, identifiers: parents(slot, asked).withValue(slot.Key, id)}
}

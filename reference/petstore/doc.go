// Package petstore is a petstore service that keeps the interface strictly: the yardstick that the conformance kit is
// tried against.
//
// It is a reading of the interface of its own and shares no code with the part of this module that judges services,
// so a misreading on either side shows as a disagreement.
//
// A service is a [Store], which keeps the animals, behind an [net/http.Handler], which speaks HTTP. Both are plain
// values that can be wrapped from outside: a wrapped store goes into [Options], a wrapped handler into [Serve].
//
//	service, err := petstore.New(petstore.Options{Keys: []string{key}, Store: petstore.NewMemory()})
//	if err != nil { … }
//	err = petstore.Serve(ctx, listener, service.Handler(), petstore.Timeouts{}, nil)
//
// # What it chooses where the interface leaves the choice
//
//   - An animal created without a status is available, in the response, in the list and when read.
//   - Lists show the newest animal first. Ids count up from 1.
//   - Members of a body that the interface does not name, an id among them, are ignored; a repeated name is refused.
//   - A categoryId written 1.0 or 1e0 is refused.
//   - A name may be any Unicode text of up to [MaxName] bytes, also an empty one. It is never normalised or trimmed.
//   - Categories are not checked: any int64 will do. Names may repeat.
//   - A limit outside 1 to 100, an unknown status value, a repeated or malformed query: 400. Query parameters that the
//     interface does not name are ignored.
//   - An animal's identifier that is not an int64: 400.
//   - Everything at or below the base path needs the key, also what the interface does not define; elsewhere there is
//     nothing but 404.
//   - The word Bearer is compared without regard to case (RFC 9110, section 11.1).
//   - A request's Content-Type is not looked at.
//   - The retired operation getPet works on, whatever the clock says.
//
// # Faults and freedoms
//
// The package variants below puts faults and freedoms around the service, to see what a judge sees. The service itself
// knows nothing of them.
//
// # Beyond its reach
//
// A request that is not HTTP (a broken request line, a bad percent escape in the path, headers beyond 64 KiB) is
// refused by net/http before the service sees it: with the right status, but in plain text.
package petstore

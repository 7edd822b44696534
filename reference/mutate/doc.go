// Package mutate changes the exchanges between clients and an HTTP service, from outside of the service.
//
// A [Handler] wraps the handler of a service and passes each [Exchange] to [Middleware], which may change the
// request, the response, or both. A [Mutation] is a fault as plain data, derived from a contract; its Middleware
// makes the service show it. Nothing here knows an interface by name.
package mutate

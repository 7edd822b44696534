// Package mutate changes what goes between clients and an HTTP service, from outside of the service.
//
// A [Handler] stands before the handler of a service and hands each [Exchange] to [Middleware], which may change the
// request, the response, or both. A [Mutation] is a fault as plain data, derived from a contract; its Middleware has the
// service commit it. Nothing here knows an interface by name.
package mutate

// Package reference defines what services used for tests have in common. An [Implementation] of an interface keeps every rule, and can be
// made with a fault or a freedom. Each interface has a folder below. They share no code with what judges them, and import no other package
// of the module.
package reference

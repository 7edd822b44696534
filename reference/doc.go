// Package reference is what services to be judged have in common: an [Implementation] of an interface keeps every rule, and is
// made anew with a fault or a freedom. Each interface has a folder of its own below. They share no code with what judges them,
// and import no other room.
package reference

// Package reference has no code of its own: it is the room of the services to be judged, one folder an interface. They
// share no code with what judges them, and import no other room.
package reference

package record

// Suspect is a request that was in flight when the target was lost for good. It got no response; the target may have crashed on it.
type Suspect struct {
	// Exchange is the number of its exchange.
	Exchange int `json:"exchange"`
	// Read reports whether the target had read the request: it closed the connection, whereas a connection with unread bytes is reset.
	Read bool `json:"read,omitempty"`
}

// moveSuspects returns suspects with the numbers of their exchanges in a merged record.
func moveSuspects(all []Suspect, after int) []Suspect {
	moved := make([]Suspect, len(all))
	for i, s := range all {
		s.Exchange += after
		moved[i] = s
	}
	return moved
}

package record

// Suspect is a request that was under way when the target was lost for good. It got no response; the target may have died of it.
type Suspect struct {
	// Exchange is the number of its exchange.
	Exchange int `json:"exchange"`
	// Read reports whether the target had read the request: it closed the connection, where one with unread bytes is reset.
	Read bool `json:"read,omitempty"`
}

// moveSuspects returns suspects with the numbers that their exchanges have in a merged record.
func moveSuspects(all []Suspect, after int) []Suspect {
	moved := make([]Suspect, len(all))
	for i, s := range all {
		s.Exchange += after
		moved[i] = s
	}
	return moved
}

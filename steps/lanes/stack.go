package lanes

// deep is what a request and its judgement need of a stack, in bytes.
const deep = 14 << 10

// Deepen makes room on the stack of the goroutine that calls it for what a request and its judgement need, in one step and while the stack
// holds next to nothing. Otherwise it is copied each time it has to double: that took a fifteenth of the processor time of a run.
func Deepen() { use(0) }

//go:noinline
func use(i int) byte {
	var room [deep]byte
	return room[i]
}

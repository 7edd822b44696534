// Package doubt tells what a contract says beyond doubt from what documents write loosely, and hold no service to.
package doubt

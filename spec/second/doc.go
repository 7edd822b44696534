// Package second submits findings of hallmark to a second judge, libopenapi-validator, which shares no code with
// the first.
//
// It is consulted about findings that rest on a schema: a response whose body or header the contract excludes, a
// valid request that was refused, an invalid one that was accepted. The second judge sees the bytes as
// transmitted, and the part of the contract that the operation needs. Nothing is built before the first question.
package second

// Package second puts what hallmark found before a second judge, libopenapi-validator, which shares no code with the first.
//
// It is asked about findings that rest on a schema: a response whose body or header the contract rules out, a request that the
// contract allows and that was refused, one that it rules out and that was accepted. The second judge sees the bytes that went over the
// wire, and of the contract what the operation needs. Nothing is read or built before the first question.
package second

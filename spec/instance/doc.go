// Package instance derives JSON values from schemas: valid ones, and ones with exactly one fault, each with a
// description of what is special about it. It knows the model of a contract, but neither documents nor requests.
package instance

// Package instance derives JSON values from schemas: valid ones, and ones that are wrong in exactly one place, each with words that
// say what is special about it. It knows the model of a contract, and neither documents nor requests.
package instance

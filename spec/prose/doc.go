// Package prose reads the sentences of an OpenAPI document: which of its descriptions state behaviour, where they are, and which of them are
// in one of a few common forms whose meaning is beyond doubt. It does not know rules; package promise relates forms to them.
package prose

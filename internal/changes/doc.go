// Package changes compares two versions of a contract: what changes in the document, and in what services are judged by.
package changes

package service

// WrittenFaults returns faults that break rules of the shop's own, which tests/rules.yaml holds: the contract alone does not show them.
func WrittenFaults() []Fault {
	return []Fault{
		{"placeOrder.counts-lines", "checkout.total"},
		{"placeOrder.total-of-the-first", "checkout.total"},
		{"placeOrder.total-by-floats", "checkout.total"},
		{"placeOrder.copies-uncounted", "checkout.ordered"},
		{"placeOrder.refused-counted", "checkout.ordered"},
		{"listOrders.of-all-customers", "orders.apart"},
		{"readOrder.of-any-customer", "orders.apart"},
		{"readOrder.shown-to-neighbours", "orders.private"},
		{"listReviews.of-all-books", "reviews.of-their-book"},
		{"readReview.of-any-book", "reviews.of-their-book"},
		{"listReviews.newest-first", "reviews.oldest-first"},
		{"listBooks.total-of-the-page-by-genre", "pages.total"},
		{"uploadCover.not-stored", "covers.shown"},
		{"addBook.places-unnamed", "problems.place"},
		{"addBook.places-of-the-body", "problems.place"},
	}
}

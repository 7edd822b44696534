package service

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// payment checks one of three ways to pay, which its method tells apart.
func payment(c *checker, at string, v any) {
	o, is := v.(map[string]any)
	if c.holds(at, "type", is); !is {
		return
	}
	ways := map[string]check{
		"card":     object(false, property{"last4", true, matching(`^[0-9]{4}$`)}, property{"instalments", false, integer(1, 12)}),
		"transfer": object(false, property{"account", true, text(5, 34)}),
		"voucher":  object(false, property{"value", true, integer(1, 500)}),
	}
	method, _ := o["method"].(string)
	way, known := ways[method]
	if known && c.a.is(at+"."+method+".refused") {
		known = false
	}
	if _, there := o["method"]; !there {
		c.holds(at+".method", "required", false)
		return
	}
	if c.holds(at+".method", "values", known); known && way != nil {
		way(c, at, v)
	}
}

var newOrder = object(false,
	property{"lines", true, list(1, 20, false, object(false, property{"title", true, text(1, 120)}, property{"copies", true, integer(1, 99)}))},
	property{"payment", true, payment},
	property{"gift", false, boolean},
	property{"note", false, nullable(text(0, 300))},
	property{"deliverAfter", false, moment},
)

// placed is an order by its idempotency key.
type placed struct {
	text string
	out  reply
}

func listOrders(a *asked) reply {
	s := a.shop
	customer, refused := customerOf(a)
	if refused != nil {
		return *refused
	}
	all, refused := a.parameters(parameter{"state", "query", false, plain, member("placed", "paid", "shipped", "cancelled")}, parameter{"limit", "query", false, numeral, integer(1, 50)})
	if refused != nil {
		return *refused
	}
	orders := []any{}
	limit := integerOf(all, "limit", 50)
	if a.is("limit-ignored") {
		limit = 50
	}
	orderedBy := s.orders.each(customer.key)
	if a.is("of-all-customers") {
		orderedBy = s.orders.all()
	}
	for _, e := range orderedBy {
		if hidden(a, e.row) {
			continue
		}
		if state, asked := all["state"]; asked && state != e.row.members["state"] && !a.is("state-ignored") || len(orders) >= limit {
			continue
		}
		orders = append(orders, e.body())
		if a.is("one-twice") && len(orders) == 1 {
			orders = append(orders, e.body())
		}
	}
	return answered(http.StatusOK, map[string]any{"orders": orders})
}

// fewerCopies returns the lines of an order with at most 20 copies each.
func fewerCopies(lines []any) []any {
	var all []any
	for _, line := range lines {
		line, _ := line.(map[string]any)
		if n := exact(line["copies"]); n != nil && n.Cmp(big.NewRat(20, 1)) > 0 {
			line = maps.Clone(line)
			line["copies"] = json.Number("20")
		}
		all = append(all, line)
	}
	return all
}

func placeOrder(a *asked) reply {
	s := a.shop
	customer, refused := customerOf(a)
	if refused != nil {
		return *refused
	}
	all, refused := a.parameters(parameter{"Idempotency-Key", "header", false, plain, text(8, 64)})
	if refused == nil {
		refused = a.values(newOrder)
	}
	if refused != nil && s.is("refused-orders-cancelled") {
		o, _ := a.value.(map[string]any)
		note, _ := o["note"].(string)
		s.orders.addRow(fmt.Sprintf("o-%d", s.number()), &row{parent: customer.key, members: map[string]any{
			"note": note, "state": "cancelled", "lines": []any{}, "payment": map[string]any{"method": "voucher", "value": 1}}})
	}
	if order, is := a.value.(map[string]any); refused != nil && is && a.is("refused-counted") {
		sell(a, order)
	}
	if refused != nil {
		return *refused
	}
	key, keyed := all["Idempotency-Key"].(string)
	switch {
	case a.is("keys-cut") && keyed:
		key = key[:8]
	case a.is("one-key-for-all"):
		key = ""
	}
	key = fmt.Sprint(customer.key, " ", key)
	if before, known := s.placed[key]; keyed && known && !a.is("key-ignored") {
		if before.text != string(a.text) {
			return a.refused(http.StatusConflict, "the key stands for another order")
		}
		if s.is("keys-used-up") {
			return a.refused(http.StatusConflict, "the key was used")
		}
		out := before.out
		out.header = out.header.Clone()
		return out
	}
	sent, _ := a.value.(map[string]any)
	id := fmt.Sprintf("o-%d", s.number()%1000000000)
	if a.is("one-id-for-all") {
		id = "o-1"
	}
	members := maps.Clone(sent)
	members["state"] = "placed"
	members["total"] = sell(a, sent)
	switch note, _ := members["note"].(string); {
	case a.is("note-dropped"):
		delete(members, "note")
	case a.is("gift-always"):
		members["gift"] = true
	case a.is("note-cut") && note != "":
		members["note"] = cut(note, 20)
	case a.is("copies-at-most-20"):
		lines, _ := members["lines"].([]any)
		members["lines"] = fewerCopies(lines)
	case s.is("orders-paid-at-once"):
		members["state"] = "paid"
	case s.is("accounts-masked"):
		if way, is := members["payment"].(map[string]any); is && way["account"] != nil {
			way = maps.Clone(way)
			way["account"] = "*****"
			members["payment"] = way
		}
	}
	e := entry{id, &row{parent: customer.key, members: members, owner: customerOfToken(a)}}
	if !a.is("lost") {
		s.orders.addRow(id, e.row)
	}
	at := id
	if s.is("placeOrder.located-nowhere") {
		at = fmt.Sprintf("o-%d", s.number()%1000000000)
	}
	out := answered(http.StatusCreated, e.body()).location(s, "/customers/%s/orders/%s", customer.key, at)
	if keyed {
		s.placed[key] = placed{string(a.text), out}
		out.header = out.header.Clone()
	}
	return out
}

var orderPattern = regexp.MustCompile(`^o-[0-9]{1,9}$`)

func readOrder(a *asked) reply {
	s := a.shop
	customer, refused := customerOf(a)
	if refused != nil {
		return *refused
	}
	id := a.PathValue("order")
	if !orderPattern.MatchString(id) && !a.is("order-unchecked") {
		return *a.unreadable("the number of the order is none")
	}
	one := s.orders.rows[id]
	if n, err := strconv.Atoi(strings.TrimPrefix(id, "o-")); err == nil && s.is("orders-renumbered") {
		one = s.orders.rows[fmt.Sprintf("o-%d", n)]
		id = fmt.Sprintf("o-%09d", n)
	}
	if one != nil && a.shop.is("neighbours-forbidden") && hidden(a, one) {
		return a.refused(http.StatusForbidden, "the order is another customer's")
	}
	if one == nil || one.parent != customer.key && !a.is("of-any-customer") || hidden(a, one) && !a.is("shown-to-neighbours") {
		return a.refused(http.StatusNotFound, "there is no such order")
	}
	if one.reads++; a.is("paid-when-read") && one.reads > 1 {
		one.members["gift"] = one.reads%2 == 0
	}
	if s.is("gifts-decided-later") && time.Since(one.born) > delay/10 {
		one.members["gift"] = true
	}
	body := entry{id, one}.body()
	if a.is("another-id-shown") {
		body["id"] = strings.Replace(id, "o-", "o-9", 1)
	}
	return answered(http.StatusOK, body)
}

// customerOfToken returns the token of the customer that a request comes from; empty for nobody that the shop knows.
func customerOfToken(a *asked) string {
	if sent := token(a.Header.Get("Authorization")); sent == CustomerToken || sent == NeighbourToken {
		return sent
	}
	return ""
}

// hidden reports whether an order is another customer's.
func hidden(a *asked, one *row) bool {
	who := customerOfToken(a)
	return who != "" && one.owner != "" && one.owner != who
}

package mutate

import (
	"net/http"
	"slices"
)

func (m story) oldTag(x *Exchange, kept *memory, next func()) {
	next()
	r := m.Resource
	tag := x.Header.Get("ETag")
	if tag == "" || !slices.Contains([]string{r.Reads, r.Replaces, r.Patches}, x.Operation) || x.Status/100 != 2 {
		return
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	id := r.namedID(x)
	if _, known := kept.shown[id]; !known {
		kept.shown[id] = x.Response()
	}
	x.apply(func(x *Exchange) { x.Header.Set("ETag", kept.shown[id].Header.Get("ETag")) })
}

// sometimes makes every fourth success of an operation fail.
func (m story) sometimes() Middleware {
	const often = 4
	kept := newMemory()
	return func(x *Exchange, next func()) {
		next()
		if !m.matches(x) || x.Status/100 != 2 {
			return
		}
		kept.mu.Lock()
		defer kept.mu.Unlock()
		if kept.count[""]++; kept.count[""]%often == 0 {
			x.change(func(x *Exchange) { x.Status = m.To })
		}
	}
}

// unconditional repeats a change that is refused for lacking a condition by the current ETag.
func (m story) unconditional(x *Exchange, next func()) {
	if next(); x.Status != http.StatusPreconditionRequired || !m.matches(x) {
		return
	}
	current, known := readBack(x, "")
	if tag := current.Header.Get("ETag"); known && tag != "" {
		with := x.Request.Clone(x.Request.Context())
		with.Header.Set(m.Name, tag)
		if a := x.send(with, x.Body); a.Status/100 == 2 {
			x.apply(func(x *Exchange) { x.reply(a) })
		}
	}
}

// onConditions returns a mutation of requests that are conditional because of their headers.
func (m story) onConditions() Middleware {
	kept := newMemory()
	return func(x *Exchange, next func()) {
		value := x.Request.Header.Get(m.Name)
		if !m.matches(x) || value == "" {
			next()
			return
		}
		without := x.Request.Clone(x.Request.Context())
		without.Header.Del(m.Name)
		switch m.Do {
		case ActNoCondition:
			next()
			if refused := x.Status == http.StatusPreconditionFailed || x.Status == http.StatusNotModified; refused {
				if a := x.send(without, x.Body); a.Status/100 == 2 {
					x.apply(func(x *Exchange) { x.reply(a) })
				}
			} else if m.Method == http.MethodPost && x.Status/100 == 2 { // an idempotency key that was sent before
				kept.mu.Lock()
				defer kept.mu.Unlock()
				if kept.count[value]++; kept.count[value] > 1 {
					if a := x.send(without, x.Body); a.Status/100 == 2 {
						x.apply(func(x *Exchange) { x.reply(a) })
					}
				}
			}
		case ActMismatch: // the service gets a tag that matches nothing, and refuses by itself
			current, known := readBack(x, "")
			if !known || current.Header.Get("ETag") != value {
				next()
				return
			}
			without.Header.Set(m.Name, `"hallmark-none"`)
			x.Request = without
			next()
			x.Applied = x.Applied || x.Status == http.StatusPreconditionFailed
		case ActAlwaysSame:
			if next(); x.Status == http.StatusOK {
				x.apply(func(x *Exchange) {
					x.Status, x.Answer = http.StatusNotModified, nil
					x.Header.Del("Content-Type")
				})
			}
		case ActOneKey:
			next()
			kept.mu.Lock()
			defer kept.mu.Unlock()
			if was := kept.shown[""]; was.Status != 0 && x.Status/100 == 2 {
				x.apply(func(x *Exchange) { x.reply(was) })
			} else if x.Status/100 == 2 {
				kept.shown[""] = x.Response()
			}
		default:
			next()
		}
	}
}

// Pages of operations, lists of exchanges, filters, search and copying. Without it the page still shows the verdict, the causes and the
// operations with their verdicts. It fetches nothing: what it shows on request is packed in blocks at the end of the page.
'use strict';

document.documentElement.classList.add('js');

const theme = {
	get: () => { try { return localStorage.getItem('hallmark-theme'); } catch { return null; } },
	set: (name) => { try { localStorage.setItem('hallmark-theme', name); } catch { /* a file may have no storage */ } },
	dark: () => document.documentElement.dataset.theme
		? document.documentElement.dataset.theme === 'dark'
		: matchMedia('(prefers-color-scheme: dark)').matches,
};
if (theme.get() === 'dark' || theme.get() === 'light') document.documentElement.dataset.theme = theme.get();

document.addEventListener('DOMContentLoaded', () => {
	const $ = (id) => document.getElementById(id);
	const all = (selector, root = document) => [...root.querySelectorAll(selector)];
	const number = (n) => n.toLocaleString('en');
	const count = (n, noun) => `${number(n)} ${noun}${n === 1 ? '' : 's'}`;
	// make returns an element; text from the record never becomes markup.
	const make = (tag, className = '', text = '') => {
		const element = document.createElement(tag);
		if (className) element.className = className;
		if (text) element.textContent = text;
		return element;
	};
	const link = (hash, text, className = '') => {
		const a = make('a', className, text);
		a.setAttribute('href', `#${hash}`);
		return a;
	};

	// breakable writes a name; a long one may be broken between its words, and nowhere else.
	const breakable = (element, name) => {
		const words = name.length > 24 ? name.split(/(?<=[./_:-])|(?<=[a-z])(?=[A-Z])/) : [name];
		element.append(...words.flatMap((word, i) => i ? [document.createElement('wbr'), word] : [word]));
	};

	const say = (text) => {
		const span = make('span', '', text);
		$('said').replaceChildren(span);
		setTimeout(() => span.remove(), 2000);
	};

	// Light and dark.
	const button = $('theme');
	const label = () => {
		button.textContent = theme.dark() ? 'Light' : 'Dark';
		button.setAttribute('aria-label', `${button.textContent} colours`);
	};
	button.addEventListener('click', () => {
		const name = theme.dark() ? 'light' : 'dark';
		document.documentElement.dataset.theme = name;
		theme.set(name);
		label();
	});
	label();

	// Blocks: HTML that was escaped when it was written, or JSON; compressed, as base64.
	const unpackable = typeof DecompressionStream === 'function';
	const note = $('unpackable');
	note.hidden = unpackable;
	if (!unpackable) for (const filters of all('.filters')) filters.hidden = true;
	const unpack = async (block) => {
		if (!unpackable) throw new Error(note.textContent);
		if (!block) throw new Error('a block is missing');
		const packed = atob(block.textContent), bytes = new Uint8Array(packed.length);
		for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
		const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
		return new Response(stream).text();
	};
	const blocks = (kind) => all(`script.${kind}`);
	// once returns a function that makes something when it is first needed.
	const once = (load) => {
		let made;
		return () => made ??= load();
	};
	const problem = (error) => make('p', 'note', unpackable ? `This cannot be unpacked, so the page is damaged: ${error.message}` : error.message);

	// The index, with what is searched in lower case.
	const index = once(async () => {
		const x = JSON.parse(await unpack(blocks('index')[0]));
		x.places = new Map(); // units by anchor
		x.units.forEach((u, i) => {
			u.text = `${u.name} ${u.method ?? ''} ${u.path ?? ''} ${u.summary ?? ''}`.toLowerCase();
			u.rules = [];
			x.places.set(u.anchor, i);
			for (const scenario of u.scenarios ?? []) x.places.set(`scenario-${scenario}`, i);
		});
		for (const r of x.rules) {
			r.search = `${r.id} ${r.says} ${r.text ?? ''}`.toLowerCase();
			x.units[r.unit].rules.push(r);
			x.places.set(r.anchor, r.unit);
		}
		return x;
	});
	// The lines of all exchanges, in the order in which they are packed.
	const FOUND = 1, WRONG = 2, DELAYED = 4;
	const rows = once(async () => {
		const list = JSON.parse(await unpack(blocks('rows')[0])).map(([seq, unit, method, path, about, status, took, marks, from, elapsed], place) => (
			{ seq, unit, method, path, about, status, took, marks, from, elapsed, place }));
		const bySeq = new Map(list.map((row) => [row.seq, row]));
		return { list, bySeq, sorted: [...list].sort((a, b) => a.seq - b.seq) };
	});
	// The parts of a block; those used last stay unpacked.
	const kept = new Map();
	const part = async (kind, i) => {
		const size = (await index()).sizes[kind];
		const key = `${kind} ${Math.floor(i / size)}`;
		const made = kept.get(key) ?? unpack(blocks(kind)[Math.floor(i / size)]).then((text) => text.split('\x1e'));
		kept.delete(key);
		kept.set(key, made);
		if (kept.size > 20) kept.delete(kept.keys().next().value);
		const html = (await made)[i % size];
		if (html === undefined) throw new Error('a part is missing');
		return html;
	};
	const inside = async (seq) => {
		const row = (await rows()).bySeq.get(seq);
		if (!row) throw new Error('the exchange is not there');
		return part('exchanges', row.place);
	};

	// What folds and is made when it is opened: exchanges, parts of the overview, lists of exchanges, the timeline.
	const isFilled = (details) => details.childElementCount > 1;
	const filling = new Map();
	const fill = (details) => {
		if (isFilled(details)) return Promise.resolve();
		if (!filling.has(details)) filling.set(details, fillOnce(details).finally(() => filling.delete(details)));
		return filling.get(details);
	};
	const fillOnce = async (details) => {
		try {
			if (details.dataset.exchange) {
				details.append(template(await inside(Number(details.dataset.exchange))));
			} else if (details.dataset.part) {
				details.append(template(await part('parts', Number(details.dataset.part))));
			} else if (details.dataset.unit) {
				const unit = (await index()).places.get(details.dataset.unit);
				const list = make('div', 'list');
				details.append(list);
				showRows(list, (await rows()).sorted.filter((row) => row.unit === unit));
			} else if (details.id === 'timeline-plot') {
				details.append(await drawTimeline());
			}
		} catch (error) {
			details.append(problem(error));
		}
		colour(details);
	};
	const template = (html) => {
		const holder = document.createElement('template');
		holder.innerHTML = html;
		return holder.content;
	};
	document.addEventListener('toggle', async (event) => {
		if (!event.target.open) return;
		await fill(event.target);
		showMark(event.target);
	}, true);

	// A long body is scrolled to the place that offends.
	const showMark = (details) => {
		const mark = details.querySelector(':scope > .x-in .body mark');
		const body = mark && mark.closest('.body');
		if (body && body.scrollHeight > body.clientHeight) {
			body.scrollTop += mark.getBoundingClientRect().top - body.getBoundingClientRect().top - body.clientHeight / 3;
		}
	};

	// Colours of JSON, where the browser can do it without more elements.
	const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;
	const colour = (root) => {
		if (!globalThis.Highlight || !CSS.highlights) return;
		for (const body of all('.body.json', root)) {
			const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
			for (let node = walker.nextNode(); node; node = walker.nextNode()) {
				if (node.parentElement.closest('summary')) continue;
				for (const found of node.data.matchAll(tokens)) {
					const range = new StaticRange({
						startContainer: node, startOffset: found.index,
						endContainer: node, endOffset: found.index + (found[1] || found[0]).length,
					});
					const kind = found[2] ? 'json-key' : found[1] ? 'json-string' : 'json-value';
					if (!CSS.highlights.has(kind)) CSS.highlights.set(kind, new Highlight());
					CSS.highlights.get(kind).add(range);
				}
			}
		}
	};
	colour($('overview'));

	// A list of exchanges shows some at a time.
	const ATONCE = 100;
	const rowOf = (row) => {
		const details = make('details', row.marks & FOUND ? 'x found' : 'x');
		details.id = `exchange-${row.seq}`;
		details.dataset.exchange = row.seq;
		const colour = row.marks & WRONG ? 'wrong' : row.marks & FOUND ? 'flawed' : `s${Math.floor(row.status / 100)}`;
		const status = make('span', `status ${colour}`, row.status ? String(row.status) : 'no response');
		const summary = make('summary');
		const path = make('span', 'path');
		breakable(path, row.path);
		summary.append(make('span', 'seq', String(row.seq)), ' ', make('span', 'method', row.method), ' ', path, ' ');
		if (row.about) summary.append(make('span', 'about', row.about), ' ');
		summary.append(status, ' ', make('span', 'took', row.took));
		details.append(summary);
		return details;
	};
	// showRows shows the rows of a list around one of them, or from the first, with buttons for the others.
	const showRows = (list, found, seq) => {
		const at = Math.max(0, found.findIndex((row) => row.seq === seq));
		let from = at - at % ATONCE, to = Math.min(found.length, from + ATONCE);
		const earlier = make('button', 'more'), later = make('button', 'more');
		earlier.type = later.type = 'button';
		const label = () => {
			earlier.hidden = from === 0;
			earlier.textContent = `Show ${number(Math.min(ATONCE, from))} earlier of ${number(from)}`;
			later.hidden = to === found.length;
			later.textContent = `Show ${number(Math.min(ATONCE, found.length - to))} more of ${number(found.length - to)}`;
		};
		earlier.addEventListener('click', () => {
			const start = Math.max(0, from - ATONCE);
			earlier.after(...found.slice(start, from).map(rowOf));
			from = start;
			label();
		});
		later.addEventListener('click', () => {
			const end = Math.min(found.length, to + ATONCE);
			later.before(...found.slice(to, end).map(rowOf));
			to = end;
			label();
		});
		label();
		list.replaceChildren(earlier, ...found.slice(from, to).map(rowOf), later);
	};

	// Filters are kept in the address, behind the place: #operations?verdict=violated&q=limit.
	const split = () => {
		const [place, query = ''] = location.hash.slice(1).split(/\?(.*)/s);
		let id = place;
		try { id = decodeURIComponent(place); } catch { /* as it is */ }
		return { id, query: new URLSearchParams(query) };
	};
	const read = (form) => new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
	const write = (form, query) => {
		for (const field of form.elements) {
			if (!field.name) continue;
			if (field.type === 'checkbox') field.checked = query.getAll(field.name).includes(field.value);
			else field.value = query.get(field.name) ?? '';
			if (field.localName === 'select' && field.selectedIndex < 0) field.value = '';
		}
	};
	const address = (place, query) => `#${place}${query.size ? `?${query}` : ''}`;
	const wanted = (query) => (query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
	const fits = (text, words) => words.every((word) => text.includes(word));
	const options = (select, values) => {
		const value = select.value;
		select.append(...values.map((one) => {
			const option = make('option', '', one);
			option.value = one;
			return option;
		}));
		select.value = value;
	};

	// Operations and rules.
	const form = $('filters');
	const lines = all('table.operations tbody tr');
	const MOSTRULES = 20;
	const fillForms = once(async () => {
		const { units } = await index();
		const names = units.filter((u) => u.anchor.startsWith('operation-')).map((u) => u.name);
		const tags = [...new Set(units.flatMap((u) => u.tags ?? []))].sort();
		const methods = [...new Set(units.map((u) => u.method).filter(Boolean))].sort();
		options($('operation'), names);
		options($('tag'), tags);
		options($('method'), methods);
		if (exchangeForm) options($('exchange-operation'), names);
	});
	let turn = 0;
	const filter = async (query) => {
		const now = ++turn;
		let x;
		try {
			x = await index();
			await fillForms();
		} catch {
			return; // the note says why
		}
		if (now !== turn) return;
		write(form, query);
		const words = wanted(query), verdicts = query.getAll('verdict'), levels = query.getAll('level');
		const [operation, tag, method] = ['operation', 'tag', 'method'].map((name) => query.get(name));
		const ofRules = verdicts.length > 0 || levels.length > 0;
		const found = [];
		let shown = 0;
		x.units.forEach((u, i) => {
			const here = (!operation || u.name === operation) && (!tag || u.tags?.includes(tag)) && (!method || u.method === method);
			let visible = here && !ofRules && fits(u.text, words);
			if (here && (words.length || ofRules)) {
				const whole = ofRules && fits(u.text, words); // the operation itself was searched for
				for (const r of u.rules) {
					if ((!verdicts.length || verdicts.includes(r.word)) && (!levels.length || levels.includes(r.level)) && (whole || fits(r.search, words))) {
						visible = true;
						found.push(r);
					}
				}
			} else if (here) found.push(...u.rules);
			if (lines[i].hidden === visible) lines[i].hidden = !visible;
			shown += visible;
		});
		form.dataset.filtered = query.size > 0 ? 'yes' : '';
		showRules(words.length || ofRules ? found : []);
		$('none').hidden = shown > 0;
		document.querySelector('table.operations').hidden = shown === 0;
		const part = (n, of, noun) => n === of ? count(n, noun) : `${number(n)} of ${count(of, noun)}`;
		const operations = lines.filter((line) => line.id.startsWith('operation-'));
		$('count').textContent = `${part(operations.filter((line) => !line.hidden).length, operations.length, 'operation')}, ${part(found.length, x.rules.length, 'rule')}`;
	};
	const showRules = (found) => {
		const box = $('found');
		box.hidden = found.length === 0;
		const item = (r) => {
			const p = make('p', `is-${r.verdict}`);
			const a = link(r.anchor, '', 'id');
			breakable(a, r.id);
			p.append(make('b', '', r.word), ' ', a, ' ', r.says);
			return p;
		};
		const more = make('button', 'more', `Show all ${count(found.length, 'rule')}`);
		more.type = 'button';
		more.hidden = found.length <= MOSTRULES;
		more.addEventListener('click', () => more.replaceWith(...found.slice(MOSTRULES).map(item)));
		box.replaceChildren(...found.slice(0, MOSTRULES).map(item), more);
	};

	// Exchanges: what a reader sees, folded or not, is searched; the words are unpacked when they are first searched for.
	const exchangeForm = $('exchange-filters');
	const plain = (html) => html.replaceAll('<wbr>', '').replace(/<[^>]*>/g, ' ').replaceAll('&#34;', '"').replaceAll('&#39;', "'")
		.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').toLowerCase();
	const textReads = [];
	const textsOf = (i) => textReads[i] ??= (async () => {
		const { list } = await rows();
		const size = (await index()).sizes.exchanges;
		let words = [];
		try { words = plain(await unpack(blocks('exchanges')[i])).split('\x1e'); } catch { /* opening one says so */ }
		for (const row of list.slice(i * size, (i + 1) * size)) {
			row.text = `${row.seq} ${row.method} ${row.path} ${row.about} ${row.status || 'no response'} `.toLowerCase() + (words[row.place % size] ?? '');
		}
	})();
	// rest reads the blocks one after another, and calls between after each, which may end that.
	const rest = async (between) => {
		for (let i = 0; i < blocks('exchanges').length; i++) {
			await textsOf(i);
			if (await between(i + 1 < blocks('exchanges').length) === false) return;
		}
	};
	const idle = () => new Promise((done) => (window.requestIdleCallback ?? ((then) => setTimeout(then, 50)))(done));
	const fillStatuses = once(async () => {
		const { list } = await rows();
		const statuses = [...new Set(list.map((row) => row.status))].sort((a, b) => a - b).map((status) => status ? String(status) : 'none');
		options($('exchange-status'), statuses);
		options($('exchange-method'), [...new Set(list.map((row) => row.method))].sort());
	});
	let asked = 0;
	const filterExchanges = async (query) => {
		const now = ++asked;
		try {
			await fillForms();
			await fillStatuses();
		} catch (error) {
			$('exchange-list').replaceChildren(problem(error));
			return;
		}
		if (now !== asked) return; // something else was asked for meanwhile
		write(exchangeForm, query);
		const { list, sorted } = await rows();
		const { units } = await index();
		const words = wanted(query);
		const [operation, method, status, marked] = ['operation', 'method', 'status', 'found'].map((name) => query.get(name));
		const showFound = (whole) => {
			const found = matching();
			showRows($('exchange-list'), found);
			$('exchange-none').hidden = !whole || found.length > 0;
			$('exchange-count').textContent = (found.length === list.length ? count(found.length, 'exchange') : `${number(found.length)} of ${count(list.length, 'exchange')}`) + (whole ? '' : ' so far');
		};
		const matching = () => sorted.filter((row) => (!operation || units[row.unit].name === operation)
			&& (!method || row.method === method)
			&& (!status || String(row.status || 'none') === status)
			&& (!marked || row.marks & FOUND)
			&& (!words.length || row.text !== undefined && fits(row.text, words)));
		if (!words.length || list.every((row) => row.text !== undefined)) {
			showFound(true);
			return;
		}
		// What is found in the first block is shown at once, the rest as it is read.
		let shown = -Infinity;
		await rest((more) => {
			if (now !== asked) return false;
			if (!more || performance.now() - shown > 150) {
				showFound(!more);
				shown = performance.now();
			}
			return true;
		});
	};

	// A change of a filter is a step of the history, typing is not: the last words are kept.
	const wire = (filters, place) => {
		const go = (how) => {
			const to = address(place, read(filters));
			if (to === location.hash) return;
			history[how](how === 'replaceState' ? history.state : null, '', to);
			show({ still: true });
		};
		let timer;
		filters.addEventListener('submit', (event) => event.preventDefault());
		filters.addEventListener('change', (event) => { if (event.target.type !== 'search') go('pushState'); });
		filters.addEventListener('reset', (event) => {
			event.preventDefault();
			history.pushState(null, '', `#${place}`);
			show({ still: true });
		});
		filters.addEventListener('input', (event) => {
			if (event.target.type !== 'search') return;
			clearTimeout(timer);
			timer = setTimeout(() => go('replaceState'), 30);
		});
	};
	wire(form, 'operations');
	if (exchangeForm) wire(exchangeForm, 'exchanges');

	// The timeline: a line for each request in flight, drawn as one path for each colour.
	const svg = (tag, attributes = {}) => {
		const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
		for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
		return element;
	};
	const drawTimeline = async () => {
		const { list } = await rows();
		const { phases = [] } = await index();
		const sorted = [...list].sort((a, b) => a.from - b.from || a.seq - b.seq);
		const end = Math.max(1, ...phases.map((p) => p.to), sorted.reduce((most, row) => Math.max(most, row.from + row.elapsed), 0));
		const free = [];
		const width = 1000, step = 9, x = (time) => Math.round(time / end * width * 100) / 100;
		const paths = { plain: '', violated: '', wrong: '', delayed: '' };
		for (const row of sorted) {
			let lane = free.findIndex((time) => time <= row.from);
			if (lane < 0) lane = free.length;
			free[lane] = row.from + row.elapsed;
			row.lane = lane;
			const kind = row.marks & FOUND ? 'violated' : row.marks & WRONG || !row.status ? 'wrong' : row.marks & DELAYED ? 'delayed' : 'plain';
			paths[kind] += `M${x(row.from)} ${lane * step}h${Math.max(0.6, x(row.elapsed))}v${step - 2}h-${Math.max(0.6, x(row.elapsed))}z`;
		}
		const height = free.length * step;
		const figure = make('figure', 'timeline');
		const seconds = (time) => (time / 1e6).toFixed(2);
		const plot = svg('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', width: '100%', height: Math.max(80, Math.min(360, height * 2)), role: 'img', 'aria-label': 'When each exchange was under way' });
		for (const p of phases) plot.append(svg('line', { class: 'phase', x1: x(p.from), x2: x(p.from), y1: 0, y2: height }));
		for (const [kind, d] of Object.entries(paths)) if (d) plot.append(svg('path', { class: `t-${kind}`, d }));
		const place = (event) => {
			const box = plot.getBoundingClientRect();
			const time = (event.clientX - box.left) / box.width * end, lane = Math.floor((event.clientY - box.top) / box.height * free.length);
			const slack = end / box.width * 2;
			return sorted.find((row) => row.lane === lane && row.from - slack <= time && time <= row.from + row.elapsed + slack);
		};
		const says = make('p', 'under', 'Point at a bar to see its exchange, click to open it.');
		plot.addEventListener('mousemove', (event) => {
			const row = place(event);
			if (row) says.textContent = `${row.seq} ${row.method} ${row.path} → ${row.status || 'no response'}, after ${seconds(row.from)} s, took ${row.took}`;
		});
		plot.addEventListener('click', (event) => {
			const row = place(event);
			if (row) location.hash = `exchange-${row.seq}`;
		});
		const legend = make('ul', 'legend');
		for (const [kind, text] of [['plain', 'as expected'], ['violated', 'with findings'], ['wrong', 'an unexpected status or none'], ['delayed', 'sent again after a delay']]) {
			if (!paths[kind]) continue;
			const li = make('li', '', text);
			li.prepend(make('i', `t-${kind}`));
			legend.append(li);
		}
		const caption = make('figcaption');
		caption.append(legend, says);
		caption.append(make('p', 'under', phases.map((p) => `${p.name}: ${seconds(p.from)} to ${seconds(p.to)} s, ${count(p.scenarios, 'scenario')}`).join(' · ')));
		figure.append(plot, caption);
		return figure;
	};

	// A field of the coverage matrix says which rule it is, and leads to it.
	const cellAt = async (event) => {
		const cells = event.target.closest('svg.cells');
		if (!cells) return undefined;
		const { units, places } = await index();
		const box = cells.getBoundingClientRect();
		const kind = Math.floor((event.clientX - box.left) / box.width * cells.viewBox.baseVal.width / 9);
		return units[places.get(cells.closest('tr').id)].rules.filter((r) => r.kind === kind);
	};
	const table = document.querySelector('table.operations');
	table.addEventListener('mousemove', async (event) => {
		const found = await cellAt(event).catch(() => undefined);
		table.title = found?.length ? found.map((r) => `${r.id}: ${r.word}`).join('\n') : '';
	});
	table.addEventListener('click', async (event) => {
		if (event.target.closest('a')) return;
		const found = await cellAt(event).catch(() => undefined);
		if (found?.length) location.hash = found[0].anchor;
	});

	// Views: the overview, a page of a unit, the exchanges. The address says which; what is not there yet is made.
	const view = $('view'), overview = $('overview'), exchangeView = $('exchanges');
	const choose = (chosen) => {
		for (const one of [view, overview, exchangeView]) one.hidden = one !== chosen;
	};
	choose(overview);
	const showUnit = async (at) => {
		const { anchor } = (await index()).units[at];
		if (view.dataset.unit !== anchor) {
			view.replaceChildren(template(await part('units', at)));
			view.dataset.unit = anchor;
		}
		choose(view);
	};
	let landed;
	const land = (target) => {
		landed?.classList.remove('landed');
		for (let one = target; one; one = one.parentElement) {
			if (one.localName === 'details') one.open = true;
		}
		const focus = target.localName === 'details' ? target.firstElementChild : target.querySelector(':scope > h2') ?? target;
		if (focus.localName !== 'summary' && !focus.hasAttribute('tabindex')) focus.tabIndex = -1;
		focus.focus({ preventScroll: true });
		target.scrollIntoView({ block: 'start' });
		landed = target;
		if (target.matches('details, .card')) target.classList.add('landed');
	};
	// find makes what the address names, if need be, and returns the place to scroll to.
	const find = async (id, query, stale) => {
		if (id === 'exchanges') {
			choose(exchangeView);
			if (exchangeForm) {
				await filterExchanges(query);
				idle().then(() => rest(idle)).catch(() => {}); // so that they are ready when something is searched for
			}
			return exchangeView;
		}
		const [, seq] = /^exchange-(\d+)$/.exec(id) ?? [];
		if (seq) {
			const { bySeq, sorted } = await rows();
			const row = bySeq.get(Number(seq));
			if (!row || stale()) return undefined;
			await showUnit(row.unit);
			const details = view.querySelector('details.list');
			if (!$(id)) {
				if (!isFilled(details)) details.append(make('div', 'list'));
				showRows(details.lastElementChild, sorted.filter((one) => one.unit === row.unit), row.seq);
			}
			details.open = true;
			await fill($(id));
			return $(id);
		}
		const place = /^(operation|area|rule|scenario|other)-/.test(id) ? (await index()).places.get(id) : undefined;
		if (place !== undefined) {
			if (stale()) return undefined;
			await showUnit(place);
			return (/^(rule|scenario)-/.test(id) && $(id)) || view.firstElementChild;
		}
		choose(overview);
		if (query.size || form.dataset.filtered) await filter(id === 'operations' ? query : new URLSearchParams());
		const target = id ? $(id) : undefined;
		if (target?.dataset.part) await fill(target);
		return target ?? undefined;
	};
	let shows = 0;
	// show shows what the address names. It scrolls there, to where the reader was before, or not at all if still is set.
	const show = async ({ y, still = false } = {}) => {
		const now = ++shows;
		const stale = () => now !== shows; // another link was followed meanwhile
		const { id, query } = split();
		let target;
		try {
			target = await find(id, query, stale);
		} catch (error) {
			choose(view);
			delete view.dataset.unit;
			view.replaceChildren(problem(error));
		}
		if (still || stale()) return;
		if (target) land(target);
		if (y !== undefined) scrollTo(0, y);
		else if (!target) scrollTo(0, 0);
	};
	// Where the reader is in a view is kept in the history.
	history.scrollRestoration = 'manual';
	let scrolled, before;
	addEventListener('scroll', () => {
		clearTimeout(scrolled);
		scrolled = setTimeout(() => history.replaceState({ y: scrollY }, ''), 100);
	});
	addEventListener('popstate', (event) => { before = event.state?.y; });
	addEventListener('hashchange', () => {
		clearTimeout(scrolled);
		show({ y: before });
		before = undefined;
	});
	document.addEventListener('click', (event) => {
		const a = event.target.closest('a[href^="#"]');
		if (a && a.hash === location.hash) show(); // the same place again
	});
	addEventListener('load', () => { // only then the browser leaves the place alone
		if (location.hash.length > 1 || history.state) show({ y: history.state?.y });
		if (unpackable) setTimeout(() => fillForms().catch(() => {}), 50); // the index may be damaged: opening a page says so
	});

	// Copying.
	const copy = async (text) => {
		try {
			await navigator.clipboard.writeText(text);
			return true;
		} catch {
			const area = document.createElement('textarea');
			area.value = text;
			document.body.append(area);
			area.select();
			const done = document.execCommand('copy');
			area.remove();
			return done;
		}
	};
	document.addEventListener('click', async (event) => {
		const button = event.target.closest('.copy');
		if (!button) return;
		const done = await copy(button.parentElement.querySelector('code').textContent);
		say(done ? 'Copied' : 'Could not be copied: select the text');
		button.focus();
	});

	// The slash goes to the search, escape leaves it empty.
	document.addEventListener('keydown', (event) => {
		const typing = /^(input|select|textarea)$/.test(event.target.localName);
		if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
			if (!exchangeView.hidden && overview.hidden) $('exchange-search')?.focus();
			else {
				if (overview.hidden) history.pushState(null, '', '#operations');
				show({ still: !overview.hidden }).then(() => $('search').focus());
			}
			event.preventDefault();
		} else if (event.key === 'Escape' && event.target.type === 'search' && event.target.value) {
			event.target.value = '';
			event.target.dispatchEvent(new Event('input', { bubbles: true }));
		}
	});

	// Times as the reader's clock has them, beside those of the record.
	for (const time of all('time[datetime]')) {
		const date = new Date(time.dateTime);
		if (!Number.isNaN(date.valueOf()) && date.getTimezoneOffset() !== 0) {
			time.textContent += ` (${date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })} here)`;
		}
	}
});

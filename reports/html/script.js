// Filters, search, folding and copying. The page can be read without it. It fetches nothing.
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
	const count = (n, noun) => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;

	const say = (text) => {
		const span = document.createElement('span');
		span.textContent = text;
		$('said').replaceChildren(span);
		setTimeout(() => span.remove(), 2000);
	};

	// Light and dark.
	const button = $('theme');
	const label = () => {
		button.textContent = theme.dark() ? 'Light' : 'Dark';
		button.setAttribute('aria-pressed', String(theme.dark()));
	};
	button.setAttribute('aria-label', 'Dark colours');
	button.addEventListener('click', () => {
		const name = theme.dark() ? 'light' : 'dark';
		document.documentElement.dataset.theme = name;
		theme.set(name);
		label();
	});
	label();

	// Exchanges come in blocks. What those of a block unfold to is packed behind it: HTML that was escaped when it was
	// written, compressed, as base64.
	const unpackable = typeof DecompressionStream === 'function';
	const note = $('exchange-unpackable');
	if (note && !unpackable) note.hidden = false;
	const unpack = async (block) => {
		const packed = atob(block.nextElementSibling.textContent);
		const bytes = Uint8Array.from(packed, (c) => c.charCodeAt(0));
		const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
		return (await new Response(stream).text()).split('\x1e');
	};
	// Blocks of which an exchange was opened stay unpacked until all of theirs were.
	const unpacked = new Map();
	const insides = (block) => {
		if (!unpacked.has(block)) unpacked.set(block, unpack(block));
		return unpacked.get(block);
	};
	const isFilled = (details) => details.childElementCount > 1;
	const fill = async (details) => {
		if (isFilled(details)) return;
		const block = details.parentElement;
		const inside = document.createElement('div');
		try {
			if (!unpackable) throw new Error(note.textContent);
			const html = (await insides(block))[[...block.children].indexOf(details)];
			if (html === undefined) throw new Error('it is not there');
			inside.innerHTML = html;
		} catch (error) {
			inside.className = 'x-in note';
			inside.textContent = unpackable ? `This exchange cannot be unpacked, so the page is damaged: ${error.message}` : error.message;
		}
		if (isFilled(details)) return; // meanwhile
		details.append(inside.className ? inside : inside.firstElementChild);
		if ([...block.children].every(isFilled)) unpacked.delete(block);
		colour(details);
	};
	document.addEventListener('toggle', async (event) => {
		if (!event.target.open) return;
		if (event.target.classList.contains('x')) await fill(event.target);
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
	colour($('main'));

	// What is searched for: the words that a reader sees, folded or not, taken together once.
	const index = new Map();
	const holds = (element, wanted) => {
		let text = index.get(element);
		if (text === undefined) index.set(element, text = element.textContent.toLowerCase());
		return wanted.every((word) => text.includes(word));
	};
	const entities = { amp: '&', lt: '<', gt: '>', '#34': '"', '#39': "'" };
	const plain = (html) => html.replace(/<[^>]*>/g, ' ').replace(/&(amp|lt|gt|#34|#39);/g, (_, name) => entities[name]);
	// The words of exchanges are unpacked when they are first searched for, but for a browser that cannot.
	let indexed;
	const indexExchanges = () => indexed ??= (async () => {
		if (!unpackable) return;
		for (const block of chunks) {
			let parts = [];
			try { parts = await (unpacked.get(block) ?? unpack(block)); } catch { /* opening one says so */ }
			[...block.children].forEach((x, i) => {
				index.set(x, `${x.firstElementChild.textContent} ${plain(parts[i] ?? '')}`.toLowerCase());
			});
		}
	})();
	const wantedWords = (input) => input.value.toLowerCase().split(/\s+/).filter(Boolean);
	const ticked = (form, name) => all(`input[name="${name}"]:checked`, form).map((input) => input.value);

	// Rules.
	const rules = all('.rule');
	const areas = all('.area');
	const ruleForm = $('rule-filters');
	const filterRules = () => {
		const wanted = wantedWords($('rule-search'));
		const verdicts = ticked(ruleForm, 'verdict');
		const levels = ticked(ruleForm, 'level');
		const operation = $('rule-operation').value;
		let shown = 0;
		for (const rule of rules) {
			const { verdict, level, operations } = rule.dataset;
			const fits = (!verdicts.length || verdicts.includes(verdict))
				&& (!levels.length || levels.includes(level))
				&& (!operation || !operations || operations.split(' ').includes(operation))
				&& (!wanted.length || holds(rule, wanted));
			rule.hidden = !fits;
			shown += fits;
		}
		for (const area of areas) area.hidden = !area.querySelector('.rule:not([hidden])');
		$('rule-none').hidden = shown > 0;
		$('rule-count').textContent = shown === rules.length ? count(shown, 'rule') : `${shown.toLocaleString('en')} of ${count(rules.length, 'rule')}`;
	};
	$('rule-unfold').addEventListener('click', () => { for (const rule of rules) if (!rule.hidden) rule.open = true; });
	$('rule-fold').addEventListener('click', () => { for (const rule of rules) rule.open = false; });
	wire(ruleForm, $('rule-search'), filterRules);

	// Exchanges.
	const exchanges = all('.x');
	const chunks = all('.chunk');
	const exchangeForm = $('exchange-filters');
	let asked = 0;
	const filterExchanges = async () => {
		const turn = ++asked;
		if (wantedWords($('exchange-search')).length) await indexExchanges();
		if (turn !== asked) return; // something else was asked for meanwhile
		const wanted = wantedWords($('exchange-search'));
		const operation = $('exchange-operation').value;
		const status = $('exchange-status').value;
		const found = $('exchange-found').checked;
		let shown = 0;
		const left = new Set();
		for (const x of exchanges) {
			const fits = (!operation || x.dataset.o === operation)
				&& (!status || x.dataset.s === status)
				&& (!found || x.classList.contains('found'))
				&& (!wanted.length || holds(x, wanted));
			if (x.hidden === fits) x.hidden = !fits;
			if (fits) {
				shown++;
				left.add(x.parentElement);
			}
		}
		for (const chunk of chunks) chunk.hidden = !left.has(chunk);
		$('exchange-none').hidden = shown > 0;
		$('exchange-count').textContent = shown === exchanges.length ? count(shown, 'exchange') : `${shown.toLocaleString('en')} of ${count(exchanges.length, 'exchange')}`;
	};
	if (exchangeForm) wire(exchangeForm, $('exchange-search'), filterExchanges);

	function wire(form, search, filter) {
		let timer;
		form.addEventListener('submit', (event) => event.preventDefault());
		form.addEventListener('change', filter);
		form.addEventListener('reset', () => setTimeout(filter));
		search.addEventListener('input', () => {
			clearTimeout(timer);
			timer = setTimeout(filter, 80);
		});
	}

	// A link leads to what it names, also where that is folded or filtered away.
	const follow = async () => {
		let id = location.hash.slice(1);
		try { id = decodeURIComponent(id); } catch { /* as it is */ }
		const target = id && $(id);
		if (!target) return;
		if (target.hidden || target.closest('[hidden]')) {
			for (const form of [ruleForm, exchangeForm]) {
				if (form && form.parentElement.contains(target)) form.reset();
			}
			filterRules();
			if (exchangeForm) filterExchanges();
		}
		if (target.classList.contains('x')) {
			const { hash } = location;
			await fill(target);
			if (location.hash !== hash) return; // another link was followed meanwhile
		}
		for (let part = target; part; part = part.parentElement) {
			if (part.localName === 'details') part.open = true;
		}
		const focus = target.localName === 'details' ? target.firstElementChild : target;
		if (focus.localName !== 'summary' && !focus.hasAttribute('tabindex')) focus.tabIndex = -1;
		focus.focus({ preventScroll: true });
		target.scrollIntoView({ block: 'start' });
	};
	addEventListener('hashchange', follow);
	document.addEventListener('click', (event) => {
		const link = event.target.closest('a[href^="#"]');
		if (link && link.hash === location.hash) follow(); // the same place again
	});
	addEventListener('load', follow); // only then the browser leaves the place alone

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

	// The slash goes to the search that is nearest, escape leaves it empty.
	document.addEventListener('keydown', (event) => {
		const typing = /^(input|select|textarea)$/.test(event.target.localName);
		if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
			const exchangesInView = exchangeForm && exchangeForm.getBoundingClientRect().top < innerHeight / 2;
			(exchangesInView ? $('exchange-search') : $('rule-search')).focus();
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

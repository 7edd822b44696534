package reports

// Page is text for a terminal that is made outside of this package: as wide as a Look says, and with its colours.
type Page struct{ s *sheet }

// Style is how a piece of text is set off where there are colours. Nothing may be said by colour alone.
type Style = style

// The styles.
const (
	Strong  Style = bold
	Faint   Style = dim
	Bad     Style = red
	Good    Style = green
	Doubt   Style = yellow
	Regular Style = plain
)

// NewPage begins a page.
func NewPage(look Look) *Page { return &Page{newSheet(look.Width, look.Colour)} }

// Width is how many columns a line may have.
func (p *Page) Width() int { return p.s.width }

// Paint sets text off, where there are colours.
func (p *Page) Paint(st Style, text string) string { return p.s.paint(st, text) }

// Line writes one line as it is, Blank an empty one.
func (p *Page) Line(text string) { p.s.line(text) }

// Blank writes an empty line.
func (p *Page) Blank() { p.s.blank() }

// Paragraph writes wrapped text; lines after the first are indented by hang more columns.
func (p *Page) Paragraph(from, hang int, st Style, text string) { p.s.paragraph(from, hang, st, text) }

// Note writes a title and text after it; lines after the first are indented.
func (p *Page) Note(st Style, title, text string) { p.s.titled(st, title, text, p.s.width, indent) }

// String is all that was written.
func (p *Page) String() string { return p.s.out.String() }

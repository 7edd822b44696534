package record

// Document lists the parts of the contract that are not used for judging, and its defects.
type Document struct {
	// Omissions are parts that hallmark does not understand and does not judge by.
	Omissions []Remark `json:"omissions,omitempty"`
	// Defects are mistakes in the document itself.
	Defects []Remark `json:"defects,omitempty"`
	// Sentences are those of the document that state behaviour, in its order.
	Sentences []Sentence `json:"sentences,omitempty"`
	// Budget says how many cases were left out to limit the number of requests, or is nil if none were.
	Budget *Budget `json:"budget,omitempty"`
}

// Sentence is a sentence of the document that states behaviour.
type Sentence struct {
	// File is the file that contains it, or empty for the document itself.
	File string `json:"file,omitempty"`
	Line int    `json:"line"`
	Text string `json:"text"`
	// Rules are the rules that judge it, at most MostRules of them; none if it is open.
	Rules []string `json:"rules,omitempty"`
	// Aside is why nothing judges it, if rules.yaml says so.
	Aside string `json:"aside,omitempty"`
}

// MostRules is how many rules of a sentence a record names. A sentence about a schema that is used everywhere may have thousands.
const MostRules = 100

// Budget is the number of cases derived from a contract, and the number left out: those of each operation beyond PerOperation.
type Budget struct {
	Cases        int `json:"cases"`
	LeftOut      int `json:"leftOut"`
	PerOperation int `json:"perOperation"`
	// Requests is the approximate number of requests of the derived cases.
	Requests int `json:"requests"`
	// Operations are those of which cases were left out. Records of earlier versions have none.
	Operations []string `json:"operations,omitempty"`
}

// Remark is a remark about a place in the contract.
type Remark struct {
	// File is the file that contains the place, or empty for the document itself.
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Pointer string `json:"pointer"`
	Text    string `json:"text"`
	// Operations lists the affected operations. It is empty if the remark is about the document as a whole.
	Operations []string `json:"operations,omitempty"`
}

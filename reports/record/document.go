package record

// Document lists the parts of the contract that are not used to judge, and what is wrong with it.
type Document struct {
	// Omissions are parts that are not understood: nothing is judged by them.
	Omissions []Remark `json:"omissions,omitempty"`
	// Defects are mistakes in the document itself.
	Defects []Remark `json:"defects,omitempty"`
	// Budget says which cases were left out to keep the number of requests small; nil if none were.
	Budget *Budget `json:"budget,omitempty"`
}

// Budget is how many cases were derived from a contract, and how many were left out: of each operation, those
// beyond PerOperation.
type Budget struct {
	Cases        int `json:"cases"`
	LeftOut      int `json:"leftOut"`
	PerOperation int `json:"perOperation"`
	// Requests is roughly how many requests the derived cases take.
	Requests int `json:"requests"`
}

// Remark is something about a place of the contract.
type Remark struct {
	// File is the file, other than the document, that contains it; empty for the document itself.
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Pointer string `json:"pointer"`
	Text    string `json:"text"`
	// Operations are the affected operations; empty when the remark is about the document as a whole.
	Operations []string `json:"operations,omitempty"`
}

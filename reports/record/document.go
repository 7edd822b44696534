package record

// Document is what in the contract is not judged by, and what is wrong with it.
type Document struct {
	// Omissions are not understood: nothing is judged by them.
	Omissions []Remark `json:"omissions,omitempty"`
	// Defects are wrong in the document itself.
	Defects []Remark `json:"defects,omitempty"`
	// Budget says which cases were left out to keep the number of requests small; nil where none were.
	Budget *Budget `json:"budget,omitempty"`
}

// Budget is how many cases were derived of a contract, and how many were left out: those beyond PerOperation of an operation.
type Budget struct {
	Cases        int `json:"cases"`
	LeftOut      int `json:"leftOut"`
	PerOperation int `json:"perOperation"`
	// Requests is about how many requests the derived cases take.
	Requests int `json:"requests"`
}

// Remark is something about a place of the contract.
type Remark struct {
	// File is the file beside the document that it stands in; empty for the document itself.
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Pointer string `json:"pointer"`
	Text    string `json:"text"`
	// Operations are those that it concerns; none when it concerns the document as a whole.
	Operations []string `json:"operations,omitempty"`
}

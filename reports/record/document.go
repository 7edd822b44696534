package record

// Document lists the parts of the contract that are not used for judging, and its defects.
type Document struct {
	// Omissions are parts that hallmark does not understand and does not judge by.
	Omissions []Remark `json:"omissions,omitempty"`
	// Defects are mistakes in the document itself.
	Defects []Remark `json:"defects,omitempty"`
	// Budget says how many cases were left out to limit the number of requests, or is nil if none were.
	Budget *Budget `json:"budget,omitempty"`
}

// Budget is the number of cases derived from a contract, and the number left out: those of each operation beyond PerOperation.
type Budget struct {
	Cases        int `json:"cases"`
	LeftOut      int `json:"leftOut"`
	PerOperation int `json:"perOperation"`
	// Requests is the approximate number of requests of the derived cases.
	Requests int `json:"requests"`
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

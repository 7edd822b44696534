package record

// Document is what in the contract is not judged by, and what is wrong with it.
type Document struct {
	// Omissions are not understood: nothing is judged by them.
	Omissions []Remark `json:"omissions,omitempty"`
	// Defects are wrong in the document itself.
	Defects []Remark `json:"defects,omitempty"`
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

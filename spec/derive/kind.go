package derive

// Kind says what a derived case is about. The catalogue's rules name the kinds that belong to them (Rule.Cases).
type Kind string

// The kinds of cases. The comments say what the response must be; "refused" is 400 where the operation documents it.
const (
	// Answer: a documented response is reached.
	Answer Kind = "answer"
	// Echo: a property that was sent comes back in the response.
	Echo Kind = "echo"
	// Linked: what a link leads to is what the response held that the link starts from.
	Linked Kind = "linked"

	// ParameterInside: a value within a parameter's bounds is accepted.
	ParameterInside Kind = "parameter-inside"
	// ParameterMember: each value of a parameter's enum is accepted.
	ParameterMember Kind = "parameter-member"
	// ParameterLeftOut: an optional parameter is left out.
	ParameterLeftOut Kind = "parameter-left-out"
	// ParameterMissing: a required parameter is left out; refused, or open.
	ParameterMissing Kind = "parameter-missing"
	// ParameterOutside: a value just outside the bounds; refused, or open.
	ParameterOutside Kind = "parameter-outside"
	// ParameterType: a value of another type; refused, or open.
	ParameterType Kind = "parameter-type"
	// ParameterNotMember: a value outside the enum; refused, or open.
	ParameterNotMember Kind = "parameter-not-member"

	// PathUnknown: a path parameter that names nothing; 404.
	PathUnknown Kind = "path-unknown"
	// PathExtreme: a valid but extreme path parameter; 404, or what has exactly that id.
	PathExtreme Kind = "path-extreme"
	// PathType: a path parameter of another type; refused, or open.
	PathType Kind = "path-type"

	// BodyMissing: no body where one is required; refused.
	BodyMissing Kind = "body-missing"
	// BodyMalformed: a body that is not one JSON text; refused.
	BodyMalformed Kind = "body-malformed"
	// Type: the body or a property is of another JSON type; refused.
	Type Kind = "type"
	// Fraction: a fraction where an integer is documented; refused.
	Fraction Kind = "fraction"
	// LeftOut: a required property is left out; refused.
	LeftOut Kind = "left-out"
	// Null: a property is null; refused.
	Null Kind = "null"
	// OptionalLeftOut: an optional property is left out; accepted.
	OptionalLeftOut Kind = "optional-left-out"
	// Member: each value of a property's enum is accepted.
	Member Kind = "member"
	// NotMember: a value outside a property's enum; refused.
	NotMember Kind = "not-member"
	// Inside and Outside: a property's value at and beyond its bounds; accepted, refused.
	Inside  Kind = "inside"
	Outside Kind = "outside"
	// Int64Extreme: a value at the ends of what the format holds; accepted and exact, or refused.
	Int64Extreme Kind = "int64-extreme"
	// BeyondFormat: a number that the format cannot hold; refused.
	BeyondFormat Kind = "beyond-format"

	// NoServerError and ClientError are what an open answer should be, in the catalogue's should rules: below 500, or 4xx.
	NoServerError Kind = "no-server-error"
	ClientError   Kind = "client-error"

	// CredentialRight: the right credential is accepted. The kinds of wrong ones are those of the package credential.
	CredentialRight Kind = "credential-right"
	// CredentialFirst: a bad credential beside a request that is wrong in another way; 401.
	CredentialFirst Kind = "credential-first"
)

// Kinds returns all of them.
func Kinds() []Kind {
	return []Kind{
		Answer, Echo, Linked,
		ParameterInside, ParameterMember, ParameterLeftOut, ParameterMissing, ParameterOutside, ParameterType, ParameterNotMember,
		PathUnknown, PathExtreme, PathType,
		BodyMissing, BodyMalformed, Type, Fraction, LeftOut, Null, OptionalLeftOut, Member, NotMember, Inside, Outside,
		Int64Extreme, BeyondFormat, NoServerError, ClientError,
		CredentialRight, CredentialFirst,
	}
}

// Package petstore is what the suite knows of the Petstore beyond its contract and rules: animals, the words and numbers that
// steps ask by, checks of one response and across the responses of a run, generated sequences of commands, and the model by
// which concurrent histories are judged. It sends nothing and knows no scenario.
//
// Calls, bodies, credentials, statuses, members, lists and what several responses show are steps of packages vocabulary and written, which
// the features of the Petstore use as well. A step stays here for one of these reasons:
//
//   - It judges by the memory of the run, of which a contract tells nothing. What every list must hold, and which list is empty, follows
//     from all that the run created ("every list that must hold it does", "it is an empty array where nothing matches"); what no list may
//     hold from all that was refused ("none holds an animal whose creation was refused", "no animal appears behind them"). An id that a
//     client sent, a name that was sent twice and "an animal that this run created" are told apart from those of other scenarios by it.
//   - It judges each response under the rule of the catalogue that it breaks, and a written step knows the rule of its scenario alone. A
//     creation that fails breaks create.accepted in whatever scenario ("an animal is created with status sold", "36 animals are created by
//     12 clients at once"), an animal that is not read back may break get.created, get.found or a rule of its name ("it is read back as it
//     was answered"), and one that is listed otherwise than it is read list.status.honoured or get.listed.
//   - It needs to know how much the store holds, and fills it within the budget of the run ("the store holds more than 20 animals").
//   - Its number stands in the contract, and changes with it ("it holds no more animals than the default limit").
//   - It creates an animal with the status that the contract gives it, which may be another one than 201 ("an animal that was just created",
//     "it is read 10 times").
//   - It repeats itself until others who write meanwhile cannot explain what is seen ("leaving the limit out gives as many as …").
//   - It is generated from the model of the Petstore, or judged by it.
//   - It records what the interface leaves open in words by which "hallmark compare" tells implementations apart, also in records of
//     earlier versions ("its order is recorded").
package petstore

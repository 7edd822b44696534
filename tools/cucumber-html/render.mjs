// Reads Cucumber Messages as NDJSON from standard input, writes Cucumber's HTML report to the file that is named, and says on
// standard output, as JSON, what Cucumber's own query library makes of them.
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Transform } from 'node:stream'
import { CucumberHtmlStream } from '@cucumber/html-formatter'
import { NdjsonToMessageStream } from '@cucumber/message-streams'
import { Query } from '@cucumber/query'

const query = new Query()
const look = new Transform({
  objectMode: true,
  transform(envelope, _, done) {
    query.update(envelope)
    done(null, envelope)
  },
})
await pipeline(process.stdin, new NdjsonToMessageStream(), look, new CucumberHtmlStream(), createWriteStream(process.argv[2]))

const attempts = query.findAllTestCaseStarted()
let whole = 0
for (const attempt of attempts) {
  const lineage = query.findLineageBy(attempt)
  if (query.findPickleBy(attempt) && lineage?.feature && lineage?.scenario && query.findTestCaseDurationBy(attempt)) whole++
}
process.stdout.write(
  JSON.stringify({
    scenarios: attempts.length,
    whole,
    statuses: query.countMostSevereTestStepResultStatus(),
    success: query.findTestRunFinished()?.success,
    message: query.findTestRunFinished()?.message,
  })
)

/**
 * Checks that every regular expression of the packages needs linear time, whatever text it reads: a response,
 * a row, a file. The checker is recheck.
 *
 * usage: npm run tool regexps
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Diagnostics } from 'recheck'
import { checkExpression } from './regular-expressions/check-expression.ts'
import { type FoundExpression, findExpressions } from './regular-expressions/find-expressions.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

/** The patterns of expressions that contain values: as they are at run time, for each file. */
const PATTERNS_OF_VALUES: Readonly<Record<string, readonly string[]>> = {
  'packages/cli/src/rows/csv-records.ts': ['[\\u{3b}"\\r\\n]'],
  'packages/local/src/msw/table-handlers.ts': [
    '^https?://(?:contoso|fabrikam)(?:-secondary)?\\.table\\.core\\.windows\\.net(?::\\d+)?/',
    '^http://127\\.0\\.0\\.1:10002/(?:contoso|fabrikam)(?:-secondary)?(?:/|$)',
  ],
  'packages/mapper/src/keys/find-key-format.ts': ['^\\d{20}$'],
}

interface PlacedExpression extends FoundExpression {
  /** File and line. */
  readonly place: string
  readonly source: string
}

/** Lists the expressions of a file. An unlisted pattern of values stops the check. */
function expressionsOf(path: string): readonly PlacedExpression[] {
  const patterns = [...(PATTERNS_OF_VALUES[path] ?? [])]
  const found = findExpressions(readFileSync(root + path, 'utf8')).map((expression) => {
    const source = expression.source ?? patterns.shift()
    const place = `${path}:${expression.line}`
    if (source === undefined) throw new Error(`${place}: list its pattern in PATTERNS_OF_VALUES`)
    return { ...expression, source, place }
  })
  if (patterns.length > 0) throw new Error(`${path} no longer makes ${patterns.join(' and ')}`)
  return found
}

const known = new Map<string, Diagnostics>()

function diagnose({ source, flags }: PlacedExpression): Diagnostics {
  const key = `/${source}/${flags}`
  const diagnostics = known.get(key) ?? checkExpression(source, flags)
  known.set(key, diagnostics)
  return diagnostics
}

const paths = readdirSync(`${root}packages`)
  .flatMap((name) =>
    readdirSync(`${root}packages/${name}/src`, { recursive: true, encoding: 'utf8' }).map(
      (path) => `packages/${name}/src/${path.replaceAll('\\', '/')}`,
    ),
  )
  .filter((path) => path.endsWith('.ts'))

const expressions = paths.flatMap(expressionsOf)
for (const expression of expressions) {
  const result = diagnose(expression)
  if (result.status === 'safe') continue
  process.exitCode = 1
  const reason =
    result.status === 'vulnerable'
      ? `${result.complexity.summary}, with ${result.attack.pattern}`
      : `not decided: ${result.error.kind}`
  console.error(`${expression.place}: /${expression.source}/${expression.flags}: ${reason}`)
}
console.log(`${expressions.length} regular expressions checked, ${known.size} of them different`)

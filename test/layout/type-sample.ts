import ts from 'typescript'
import { root } from './source-files.ts'

const FILE = `${root}test/types/sample.ts`
const CONFIG = `${root}test/tsconfig.json`

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(CONFIG, ts.sys.readFile).config,
  ts.sys,
  `${root}test`,
)
const files = ts.createCompilerHost(options)
const parsed = new Map<string, ts.SourceFile | undefined>()

/** The last one. The next takes over what it knows of all files but the sample. */
let program: ts.Program | undefined

/** The compiler's results for a program of one file. */
interface TypeReport {
  /** `line: message`, the first sentence of each; lines count from 1. */
  readonly errors: readonly string[]
  /** The number of generic instantiations for this file and its imports. */
  readonly instantiations: number
}

/** Checks a text as a file of test/types. The same text always gives the same numbers. */
export function checkSample(text: string): TypeReport {
  const sample = ts.createSourceFile(FILE, text, ts.ScriptTarget.ES2022, true)
  const host: ts.CompilerHost = {
    ...files,
    fileExists: (name) => name === FILE || files.fileExists(name),
    getSourceFile: (name, target) => (name === FILE ? sample : parsedFile(name, target)),
  }
  program = ts.createProgram([FILE], options, host, program)
  const problems = [
    ...program.getSyntacticDiagnostics(sample),
    ...program.getSemanticDiagnostics(sample),
  ]
  const errors = problems.map(({ start = 0, messageText }) => {
    const { line } = sample.getLineAndCharacterOfPosition(start)
    return `${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
  return { errors, instantiations: program.getInstantiationCount() }
}

/** Parses a file of the project or a library, once for all samples. */
function parsedFile(
  name: string,
  target: ts.ScriptTarget | ts.CreateSourceFileOptions,
): ts.SourceFile | undefined {
  if (!parsed.has(name)) parsed.set(name, files.getSourceFile(name, target))
  return parsed.get(name)
}

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** How a program's decorators are compiled. */
export type DecoratorMode = 'standard' | 'legacy'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The name of every small program. No file of this name exists; its imports lead to the sources. */
export const PROGRAM: string = join(root, 'test/types/program.ts')

const optionsOfMode = {
  standard: {},
  legacy: { experimentalDecorators: true, emitDecoratorMetadata: true },
}

/** The options of all small programs, as tsconfig.json has them. */
const common = {
  composite: false,
  declaration: false,
  emitDeclarationOnly: false,
  isolatedDeclarations: false,
  erasableSyntaxOnly: false,
  noEmit: true,
  noUnusedLocals: false,
}

/** Returns the options of a small program. */
export function compilerOptions(mode: DecoratorMode): ts.CompilerOptions {
  const base = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile).config
  const compilerOptions = { ...base.compilerOptions, ...common, ...optionsOfMode[mode] }
  return ts.convertCompilerOptionsFromJson(compilerOptions, root).options
}

/**
 * Returns the messages of TypeScript 6 about a small program. Only the program itself is checked.
 *
 * @param mode - how its decorators are compiled
 * @param program - its text
 */
export function compile(mode: DecoratorMode, program: string): string {
  const options = compilerOptions(mode)
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists, getSourceFile } = host
  host.fileExists = (name) => name === PROGRAM || fileExists(name)
  host.readFile = (name) => (name === PROGRAM ? program : readFile(name))
  host.getSourceFile = (name, ...more) =>
    name === PROGRAM
      ? ts.createSourceFile(name, program, ts.ScriptTarget.ES2022)
      : getSourceFile(name, ...more)
  const built = ts.createProgram([PROGRAM], options, host)
  const diagnostics = ts.getPreEmitDiagnostics(built, built.getSourceFile(PROGRAM))
  return ts.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => dirname(PROGRAM),
    getNewLine: () => '\n',
  })
}

/**
 * Returns what an editor shows for a name: the text of its tooltip.
 *
 * @param program - the text of a small program
 * @param declaration - the text before the name, such as `type Order`
 */
export function hover(program: string, declaration: string): string {
  const options = compilerOptions('standard')
  const { readFile, fileExists, readDirectory, directoryExists, getDirectories } = ts.sys
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [PROGRAM],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = name === PROGRAM ? program : readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === PROGRAM || fileExists(name),
    readFile: (name) => (name === PROGRAM ? program : readFile(name)),
    readDirectory,
    directoryExists,
    getDirectories,
  })
  const at = program.indexOf(declaration) + declaration.length - 1
  return ts.displayPartsToString(service.getQuickInfoAtPosition(PROGRAM, at)?.displayParts)
}

/**
 * Returns the messages of TypeScript 7 about a small program. It has no API, so the program is written to a folder.
 *
 * @param mode - how its decorators are compiled
 * @param program - its text
 */
export async function compileNatively(mode: DecoratorMode, program: string): Promise<string> {
  const place = join(root, 'node_modules/.type-messages')
  await mkdir(place, { recursive: true })
  const folder = await mkdtemp(join(place, `${mode}-`))
  try {
    const compilerOptions = { ...common, ...optionsOfMode[mode] }
    const extended = join(root, 'tsconfig.base.json')
    const tsconfig = { extends: extended, compilerOptions, files: ['program.ts'] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
    await writeFile(join(folder, 'program.ts'), program)
    return await run(join(root, 'node_modules/@typescript/native/bin/tsc'), folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A program with mistakes ends the compiler with a failure, which is expected here. */
function run(tsc: string, folder: string): Promise<string> {
  return new Promise((resolve) => {
    const call = [tsc, '-p', '.', '--pretty', 'false']
    execFile(process.execPath, call, { cwd: folder }, (_error, stdout) => resolve(stdout))
  })
}

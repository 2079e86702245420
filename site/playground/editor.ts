/** The editor: Monaco with the compiler of TypeScript and the declarations of Rowkey. */
import 'monaco-editor/esm/vs/basic-languages/typescript/typescript.contribution.js'
import * as monaco from 'monaco-editor/esm/vs/editor/editor.api.js'
import * as typescript from 'monaco-editor/esm/vs/language/typescript/monaco.contribution.js'
import type { ShownError } from './program-lines.ts'

/** The editor of one program. */
export interface ProgramEditor {
  /** The program. */
  code: string
  /** Compiles the program to JavaScript. Mistakes in types do not stop it, as on Node. */
  compile(): Promise<CompiledProgram>
  /** Calls a function after each change. */
  onChange(call: () => void): void
  /** Underlines the line where a run failed, or nothing; a change of the program removes the mark. */
  mark(failure: ShownError | undefined): void
  /** Runs a function on Ctrl+Enter or ⌘+Enter. */
  onRun(call: () => void): void
}

/** A program that can run. */
export interface CompiledProgram {
  /** JavaScript. */
  readonly code: string
  /** From the JavaScript to the program, as a source map has them. */
  readonly mappings: string
  /** What the compiler says of its types, each with the line. */
  readonly mistakes: readonly string[]
}

/** As examples/tsconfig.json has them. */
const OPTIONS = {
  target: 9, // ES2022, which the editor's list of names lacks
  module: typescript.ModuleKind.ESNext,
  moduleResolution: typescript.ModuleResolutionKind.NodeJs,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  verbatimModuleSyntax: true,
  allowNonTsExtensions: true,
  sourceMap: true,
}

/**
 * Opens an editor.
 *
 * @param element - where it is drawn
 * @param files - the folder of the playground's files
 * @param code - the program at the start
 */
export async function openEditor(
  element: HTMLElement,
  files: string,
  code: string,
): Promise<ProgramEditor> {
  self.MonacoEnvironment = {
    getWorker: (_, label) =>
      new Worker(`${files}${label === 'typescript' ? 'types' : 'text'}.worker.js`, {
        name: label,
      }),
  }
  const defaults = typescript.typescriptDefaults
  defaults.setCompilerOptions(OPTIONS)
  defaults.setEagerModelSync(true)
  const declarations: Readonly<Record<string, string>> = await (
    await fetch(`${files}types.json`)
  ).json()
  defaults.setExtraLibs(
    Object.entries(declarations).map(([path, content]) => ({
      content,
      filePath: `file:///node_modules/${path}`,
    })),
  )

  const uri = monaco.Uri.parse('file:///main.ts')
  const model = monaco.editor.createModel(code, 'typescript', uri)
  const editor = monaco.editor.create(element, {
    model,
    automaticLayout: true,
    minimap: { enabled: false },
    overviewRulerLanes: 0,
    scrollBeyondLastLine: false,
    wordWrap: 'on',
    wrappingIndent: 'indent',
    folding: false,
    lineNumbersMinChars: 3,
    fontSize: 14,
    tabSize: 2,
    ariaLabel: 'The program',
    // Tab leaves the editor, as in every form.
    tabFocusMode: true,
    accessibilitySupport: 'on',
    fixedOverflowWidgets: true,
  })
  followTheme()
  const mark = (failure: ShownError | undefined) => {
    const { line, text = '' } = failure ?? {}
    const lines = line === undefined || line > model.getLineCount() ? [] : [line]
    const marks = lines.map((at) => ({
      severity: monaco.MarkerSeverity.Error,
      message: text.split('\n', 1)[0] ?? '',
      startLineNumber: at,
      startColumn: model.getLineFirstNonWhitespaceColumn(at) || 1,
      endLineNumber: at,
      endColumn: model.getLineMaxColumn(at),
    }))
    monaco.editor.setModelMarkers(model, 'run', marks)
  }
  model.onDidChangeContent(() => mark(undefined))
  return {
    get code() {
      return model.getValue()
    },
    set code(text) {
      model.setValue(text)
    },
    async compile() {
      const file = uri.toString()
      const client = await (await typescript.getTypeScriptWorker())(uri)
      const [{ outputFiles }, syntax, types] = await Promise.all([
        client.getEmitOutput(file),
        client.getSyntacticDiagnostics(file),
        client.getSemanticDiagnostics(file),
      ])
      const mistakes = [...syntax, ...types].map(({ start = 0, messageText }) => {
        const { lineNumber } = model.getPositionAt(start)
        return `Line ${lineNumber}: ${firstMessage(messageText)}`
      })
      const textOf = (ending: string) =>
        outputFiles.find(({ name }) => name.endsWith(ending))?.text ?? ''
      const { mappings } = JSON.parse(textOf('.js.map') || '{"mappings":""}')
      return { code: textOf('.js'), mappings, mistakes }
    },
    mark,
    onChange: (call) => void model.onDidChangeContent(call),
    onRun: (call) => void editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter, call),
  }
}

function firstMessage(text: string | { readonly messageText: string }): string {
  return typeof text === 'string' ? text : text.messageText
}

/** Dark and light as the page is. */
function followTheme(): void {
  const page = document.documentElement
  const follow = () => monaco.editor.setTheme(page.classList.contains('dark') ? 'vs-dark' : 'vs')
  new MutationObserver(follow).observe(page, { attributeFilter: ['class'] })
  follow()
}

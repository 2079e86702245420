import ts from 'typescript'

/** A regular expression in a source file. */
export interface FoundExpression {
  /** Counted from 1. */
  readonly line: number
  /** The pattern; `undefined` where it is not known before the program runs. */
  readonly source: string | undefined
  readonly flags: string
}

/**
 * Finds every regular expression in the text of a source file: literals, and those of `RegExp(…)` whose
 * pattern consists of constants of the file.
 *
 * @param text - TypeScript
 */
export function findExpressions(text: string): readonly FoundExpression[] {
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true)
  const found: FoundExpression[] = []
  const add = (node: ts.Node, source: string | undefined, flags = '') =>
    found.push({
      line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1,
      source,
      flags,
    })
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) add(node, sourceOf(node), flagsOf(node))
    if (isRegExp(node)) {
      const [pattern, flags] = node.arguments ?? []
      add(node, pattern && textOf(pattern, file), flags && textOf(flags, file))
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function isRegExp(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  return (
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'RegExp'
  )
}

function sourceOf({ text }: ts.RegularExpressionLiteral): string {
  return text.slice(1, text.lastIndexOf('/'))
}

function flagsOf({ text }: ts.RegularExpressionLiteral): string {
  return text.slice(text.lastIndexOf('/') + 1)
}

/** Evaluates texts, templates, literals and constants of the file; `undefined` for anything else. */
function textOf(node: ts.Expression, file: ts.SourceFile): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isNumericLiteral(node)) return node.text
  if (ts.isRegularExpressionLiteral(node)) return sourceOf(node)
  if (ts.isIdentifier(node)) {
    const value = constantOf(node.text, file)
    return value && textOf(value, file)
  }
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText(file) === 'String.raw') {
    return ts.isNoSubstitutionTemplateLiteral(node.template) ? node.template.rawText : undefined
  }
  return ts.isTemplateExpression(node) ? templateText(node, file) : undefined
}

function templateText(
  { head, templateSpans }: ts.TemplateExpression,
  file: ts.SourceFile,
): string | undefined {
  const parts = templateSpans.map(({ expression, literal }) => {
    const value = textOf(expression, file)
    return value === undefined ? undefined : value + literal.text
  })
  return parts.includes(undefined) ? undefined : head.text + parts.join('')
}

/** Finds `const NAME = …` at the top of the file. */
function constantOf(name: string, file: ts.SourceFile): ts.Expression | undefined {
  return file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find((declaration) => declaration.name.getText(file) === name)?.initializer
}

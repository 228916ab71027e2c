// Generates docs/README.md: the guides by section, in the order of the docs site.
import { type Guide, listGuides } from '../src/features/operator/docs-site/guides.ts';
import { GENERATED_HEADER } from './generate-pages.ts';

export async function writeDocsIndex(): Promise<string> {
  const guides = await listGuides();
  const sections = Map.groupBy(guides, ({ section }) => section);
  return [
    '# Documentation',
    '',
    GENERATED_HEADER,
    '',
    'The same guides as at `/docs` of a running service, which also shows the reference of the API. To start, read the',
    '[quickstart](quickstart.md). See also [openapi.json](openapi.json), the [decisions](decisions/README.md) about the design, and the',
    '[architecture](../ARCHITECTURE.md).',
    '',
    ...[...sections].flatMap(([title, listed]) => [`## ${title}`, '', ...listed.map(listGuide), '']),
  ].join('\n');
}

function listGuide({ title, file, description }: Guide): string {
  return `- [${title}](${file}): ${description.charAt(0).toLowerCase()}${description.slice(1)}`;
}

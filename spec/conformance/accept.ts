const as = (shape: string) => ({ accept: `application/json;as=${shape};v=v1;g=meta.k8s.io` });

/** Headers that ask for other shapes of the same objects. */
export const asMetadata = as('PartialObjectMetadata');
export const asMetadataList = as('PartialObjectMetadataList');
export const asTable = { accept: `${as('Table').accept},application/json` };
export const asNonsense = as('Nonsense');

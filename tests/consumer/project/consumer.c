/* SPDX-License-Identifier: MIT */
#include <animbridge/animbridge.h>
#include <stdio.h>

int main(int argc, char** argv) {
    ab_error error = {sizeof(error), 0, -1, -1, "", ""};
    ab_document* document = NULL;
    if (argc != 2 || ab_document_read_file(argv[1], NULL, NULL, &document, &error) != AB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("%s, %zu joints\n", ab_document_format(document), ab_document_joint_count(document));
    ab_document_free(document);
    return 0;
}

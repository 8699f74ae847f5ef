"""What any page is made of: sections, tables, pictures, numbers."""
